"""Work that takes time: uploads and sessions, and the processes that compute."""
