"""Puts the helpers of this folder (`gpu`, `search_graphs`) on the path of every room below it."""
