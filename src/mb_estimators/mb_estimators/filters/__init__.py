"""The filters that come with this package; one file per plugin."""
