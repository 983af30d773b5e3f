"""Reading crash logs: text in, CrashReports out."""
