"""What commands share: graphs read, searches run here and elsewhere, and what is printed."""
