"""Ranks, whatever they are: how they exchange, agree, pack what crosses, and end together."""
