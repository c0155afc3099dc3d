"""Puts the helpers of this folder (`graphs`, ...) on the path of every test below it."""
