"""What devices say, byte by byte; sources and emulators speak the same."""
