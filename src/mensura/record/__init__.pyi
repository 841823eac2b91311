from mensura.record.files import FORMAT as FORMAT
from mensura.record.files import embed as embed
from mensura.record.files import read_record as read_record
from mensura.record.files import strip as strip
from mensura.record.files import write_records as write_records
from mensura.record.primad import Input as Input
from mensura.record.primad import Record as Record
from mensura.record.primad import record as record

__all__ = [
    "FORMAT",
    "Input",
    "Record",
    "embed",
    "read_record",
    "record",
    "strip",
    "write_records",
]
