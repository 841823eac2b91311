/* The keys of a dict before PyDict_Next reaches them, so that their memory is at hand.

   PyDict_Next reads the hash of every key. Names that are spread over the memory make it wait for each of them, which was half of the
   time of an evaluation from dicts; loads in a row, which depend on nothing, wait together. (Prefetch instructions do not help where a
   page is not in the TLB: the processors that were measured drop them.) Only CPython's own headers say where the entries of a dict
   are: they are used to read ahead, and keys and values come from PyDict_Next. Versions without a trial, and free-threaded ones, go
   without. */
#ifndef MENSURA_AHEAD_H
#define MENSURA_AHEAD_H

#include <Python.h>
#include <stddef.h>

#if defined(__GNUC__) && !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED) && !defined(Py_LIMITED_API) && \
    PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030E0000
#ifndef Py_BUILD_CORE
#define Py_BUILD_CORE 1
#define MENSURA_BUILD_CORE
#endif
#undef _PyGC_FINALIZED /* a macro of 3.12 that its own header defines as a function */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "internal/pycore_dict.h"
#pragma GCC diagnostic pop
#ifdef MENSURA_BUILD_CORE
#undef Py_BUILD_CORE
#undef MENSURA_BUILD_CORE
#endif

/* Reads from the names and numbers at some positions of a dict. The text of a string begins at its 48th byte. */
static inline void read_ahead(PyObject *dict, Py_ssize_t position, Py_ssize_t count) {
    PyDictObject *held = (PyDictObject *)dict;
    PyDictKeysObject *keys = held->ma_keys;
    if (held->ma_values == NULL && DK_IS_UNICODE(keys)) {
        PyDictUnicodeEntry *entries = DK_UNICODE_ENTRIES(keys);
        Py_ssize_t end = position + count < keys->dk_nentries ? position + count : keys->dk_nentries;
        for (; position < end; position++) {
            if (entries[position].me_value != NULL) { /* it was not deleted */
                const volatile unsigned char *key = (const volatile unsigned char *)entries[position].me_key;
                (void)key[offsetof(PyObject, ob_type)];
                (void)key[sizeof(PyASCIIObject)];
                (void)*(const volatile unsigned char *)entries[position].me_value;
            }
        }
    }
}
#else
static inline void read_ahead(PyObject *dict, Py_ssize_t position, Py_ssize_t count) {
    (void)dict;
    (void)position;
    (void)count;
}
#endif

#endif
