"""Repositories and patches for benches/prove."""
