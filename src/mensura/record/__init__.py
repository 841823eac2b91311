"""Records: how a result came about, and making it again (P3 §2.9)."""

from mensura.record.files import FORMAT, embed, read_record, strip, write_records
from mensura.record.primad import Input, Record, record

__all__ = ["FORMAT", "Input", "Record", "embed", "read_record", "record", "strip", "write_records"]
