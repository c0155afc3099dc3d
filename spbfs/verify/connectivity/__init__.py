"""Components and forests checked."""
