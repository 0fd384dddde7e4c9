"""Charging and refunding cards."""
