"""Pictures of plain arrays by Matplotlib: what is drawn here knows no matrix, vector or search.

Every function draws into a figure and tells what it shows twice, by colour and by hatch, dash or
marker, so that a print in black and white says the same.
"""
