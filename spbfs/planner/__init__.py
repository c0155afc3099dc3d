"""Decisions as pure functions of counts, and every rate beside the measurement that set it."""
