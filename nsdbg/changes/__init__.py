"""What a change touches: two versions of a tree on disk, and the functions that differ in them."""
