"""What builds the documentation site: blocks of pages are run, their output and pictures put below
them, and links that leave the folder are given something of the site to lead to.

``python -m docs.builder PAGE ...`` runs the blocks of some pages; ``--site FOLDER`` runs those of
all and writes the pages as Sphinx is to read them, which ``make docs`` then does.
"""
