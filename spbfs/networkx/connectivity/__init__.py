"""What hangs together: components, spanning forests, trees."""
