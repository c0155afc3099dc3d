"""Breadth-first searches checked: trees and levels, over ranks, and orders."""
