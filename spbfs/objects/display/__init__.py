"""What people read: objects as text and pictures, and the hints in messages."""
