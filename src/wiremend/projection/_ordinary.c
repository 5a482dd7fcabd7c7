/* The loop of ordinary.py in C: read that first, this says the same.
 *
 * A message is a msgspec Struct, whose fields are slots at fixed offsets. Python has to look each
 * one up and decide what it is; here it is one read of memory, which is all that is gained, and is
 * most of the time. Whatever is not plainly as expected is left to the walk in pairing.py.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#define MOST_FIELDS 32
#define FIELD(object, offset) (*(PyObject **)((char *)(object) + (offset)))
/* Py_None or another value that counts as false; a slot that was never set is neither. */
#define UNSET_OR_FALSE(value) ((value) == Py_None || (value) == Py_False)

typedef struct {
    PyObject_HEAD
    PyTypeObject *message, *context, *text, *call, *user_origin;
    PyObject *blanks, *empty_output;
    Py_UCS4 empty_start;
    /* The fields of Message, in the order in which it takes them, and those of ContextMessage
     * alone, which no provider may see. */
    Py_ssize_t wire[MOST_FIELDS], engine[MOST_FIELDS];
    int wires, engines;
    Py_ssize_t role, content, tool_calls, tool_call_id, partial; /* of Message */
    Py_ssize_t origin, is_error, note;                           /* of ContextMessage */
    Py_ssize_t said;                                             /* of TextPart */
    Py_ssize_t id;                                               /* of ToolCall */
} Ordinary;

static int
is_blank(Ordinary *self, Py_UCS4 character)
{
    if (character > 0x20 && character < 0xa0)
        return 0;
    return PyUnicode_FindChar(self->blanks, character, 0, PyUnicode_GET_LENGTH(self->blanks), 1) >= 0;
}

/* The first place from `start` on that is not blank, or the length. */
static Py_ssize_t
after_blank(Ordinary *self, PyObject *text, Py_ssize_t start)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    while (start < length && is_blank(self, PyUnicode_READ_CHAR(text, start)))
        start++;
    return start;
}

/* Whether a part is a text: 1, and `*says` whether it says something; 0: it is none. */
static int
read_text(Ordinary *self, PyObject *part, int of_result, int *says)
{
    if (!Py_IS_TYPE(part, self->text))
        return 0;
    PyObject *text = FIELD(part, self->said);
    *says = 0;
    if (text == NULL || !PyUnicode_CheckExact(text))
        return 1;
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    Py_ssize_t start = after_blank(self, text, 0);
    if (start == length)
        return 1;
    if (of_result && PyUnicode_READ_CHAR(text, start) == self->empty_start
        && PyUnicode_Tailmatch(text, self->empty_output, start, length, -1) == 1) {
        Py_ssize_t end = start + PyUnicode_GET_LENGTH(self->empty_output);
        if (after_blank(self, text, end) == length)
            return 1;
    }
    *says = 1;
    return 1;
}

static int
is_word(PyObject *value, const char *word)
{
    return value != NULL && PyUnicode_CheckExact(value)
           && PyUnicode_CompareWithASCIIString(value, word) == 0;
}

static int
is_bare(Ordinary *self, PyObject *source)
{
    if (Py_IS_TYPE(source, self->message))
        return 1;
    for (int n = 0; n < self->engines; n++)
        if (FIELD(source, self->engine[n]) != Py_None)
            return 0;
    return 1;
}

/* A new reference: the message itself where it is bare, or a copy of what the provider may see. */
static PyObject *
wire_message(Ordinary *self, PyObject *source, int bare)
{
    if (bare)
        return Py_NewRef(source);
    PyObject *fields[MOST_FIELDS];
    for (int n = 0; n < self->wires; n++) {
        fields[n] = FIELD(source, self->wire[n]);
        if (fields[n] == NULL) {
            PyErr_SetString(PyExc_AttributeError, "a message has a field without a value");
            return NULL;
        }
    }
    return PyObject_Vectorcall((PyObject *)self->message, fields, self->wires, NULL);
}

static int
append_wire(Ordinary *self, PyObject *places, PyObject *source, int bare)
{
    PyObject *message = wire_message(self, source, bare);
    if (message == NULL)
        return -1;
    int failed = PyList_Append(places, message);
    Py_DECREF(message);
    return failed;
}

/* Whether a result is the one that a call waits for, and needs no cleaning. */
static int
is_plain_result(Ordinary *self, PyObject *source, PyObject *call, int bare)
{
    PyObject *call_id = FIELD(source, self->tool_call_id), *content = FIELD(source, self->content);
    if (call_id == NULL || !PyUnicode_CheckExact(call_id)
        || PyUnicode_Compare(call_id, FIELD(call, self->id)) != 0)
        return 0;
    int says;
    if (PyTuple_GET_SIZE(content) != 1
        || !read_text(self, PyTuple_GET_ITEM(content, 0), 1, &says) || !says)
        return 0;
    if (bare)
        return 1;
    PyObject *is_error = FIELD(source, self->is_error), *note = FIELD(source, self->note);
    return UNSET_OR_FALSE(is_error)
           && (note == Py_None
               || (note != NULL && PyUnicode_CheckExact(note) && PyUnicode_GET_LENGTH(note) == 0));
}

/* Whether a message of somebody else than a tool has no blank text, and says or calls something. */
static int
is_plain_message(Ordinary *self, PyObject *content, PyObject *calls)
{
    int says_something = PyTuple_GET_SIZE(calls) > 0, says;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(content); n++) {
        if (!read_text(self, PyTuple_GET_ITEM(content, n), 0, &says))
            continue;
        if (!says)
            return 0;
        says_something = 1;
    }
    return says_something;
}

/* Adds the ids of the calls to `seen`, up to the first that was there before. Returns how many
 * were added, or -1 with an exception. */
static Py_ssize_t
add_new(Ordinary *self, PyObject *calls, PyObject *open_calls, PyObject *seen)
{
    Py_ssize_t count = PyTuple_GET_SIZE(calls);
    for (Py_ssize_t n = 0; n < count; n++) {
        PyObject *call = PyTuple_GET_ITEM(calls, n);
        if (!Py_IS_TYPE(call, self->call))
            return n;
        PyObject *call_id = FIELD(call, self->id);
        if (call_id == NULL || !PyUnicode_CheckExact(call_id))
            return n;
        Py_ssize_t before = PySet_GET_SIZE(seen);
        int open = PyDict_GET_SIZE(open_calls) > 0 ? PyDict_Contains(open_calls, call_id) : 0;
        if (open != 0)
            return open < 0 ? -1 : n;
        if (PySet_Add(seen, call_id) < 0)
            return -1;
        if (PySet_GET_SIZE(seen) == before)
            return n;
    }
    return count;
}

static int
add_arrivals(PyObject *arrivals, Py_ssize_t start, Py_ssize_t stop)
{
    for (Py_ssize_t place = start; place < stop; place++) {
        PyObject *number = PyLong_FromSsize_t(place);
        if (number == NULL)
            return -1;
        int failed = PyList_Append(arrivals, number);
        Py_DECREF(number);
        if (failed)
            return -1;
    }
    return 0;
}

static PyObject *
ordinary_call(PyObject *callable, PyObject *args, PyObject *kwargs)
{
    Ordinary *self = (Ordinary *)callable;
    PyObject *history, *places, *open_calls, *seen, *arrivals;
    Py_ssize_t start, stop;
    int merges;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "ordinary takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "OnnO!O!O!Op", &history, &start, &stop, &PyList_Type, &places,
                          &PyDict_Type, &open_calls, &PySet_Type, &seen, &arrivals, &merges))
        return NULL;
    if (arrivals != Py_None && !PyList_Check(arrivals)) {
        PyErr_SetString(PyExc_TypeError, "arrivals is a list or None");
        return NULL;
    }

    Py_ssize_t done = start, kept = PyList_GET_SIZE(places);
    PyObject *calls = PyTuple_New(0);
    Py_ssize_t answered = 0, added = 0;
    int prompted = 0, failed = calls == NULL, ends = 0;
    for (Py_ssize_t index = start; index < stop && !failed && !ends; index++) {
        PyObject *source = PyList_CheckExact(history) && index < PyList_GET_SIZE(history)
                               ? Py_NewRef(PyList_GET_ITEM(history, index))
                               : PySequence_GetItem(history, index);
        if (source == NULL) {
            failed = 1;
            break;
        }
        ends = 1; /* until all is found to be ordinary */
        if (!Py_IS_TYPE(source, self->context) && !Py_IS_TYPE(source, self->message))
            goto next;
        PyObject *partial = FIELD(source, self->partial);
        PyObject *content = FIELD(source, self->content);
        PyObject *role = FIELD(source, self->role);
        PyObject *makes = FIELD(source, self->tool_calls);
        if (!UNSET_OR_FALSE(partial) || content == NULL || !PyTuple_CheckExact(content)
            || makes == NULL || !PyTuple_CheckExact(makes))
            goto next;
        int bare = is_bare(self, source);
        if (is_word(role, "tool")) {
            if (answered == PyTuple_GET_SIZE(calls)
                || !is_plain_result(self, source, PyTuple_GET_ITEM(calls, answered), bare))
                goto next;
            failed = append_wire(self, places, source, bare) < 0;
            answered++;
            if (!failed && answered == PyTuple_GET_SIZE(calls)) {
                Py_ssize_t end = PyList_GET_SIZE(places);
                if (arrivals != Py_None)
                    failed = add_arrivals(arrivals, end - answered, end) < 0;
                done = index + 1;
                kept = end;
                added = 0;
            }
            ends = 0;
            goto next;
        }
        if (answered < PyTuple_GET_SIZE(calls) || !is_plain_message(self, content, makes))
            goto next;
        Py_SETREF(calls, Py_NewRef(makes));
        answered = 0;
        added = add_new(self, calls, open_calls, seen);
        if (added < PyTuple_GET_SIZE(calls)) {
            failed = added < 0;
            goto next;
        }
        if (!bare && merges && added == 0 && is_word(role, "user")
            && Py_IS_TYPE(source, self->context)
            && Py_IS_TYPE(FIELD(source, self->origin), self->user_origin)) {
            if (prompted)
                goto next;
            prompted = 1;
            failed = append_wire(self, places, source, bare) < 0;
            ends = 0;
            goto next;
        }
        prompted = 0;
        failed = append_wire(self, places, source, bare) < 0;
        if (added == 0) {
            done = index + 1;
            kept = PyList_GET_SIZE(places);
        }
        ends = 0;
    next:
        Py_DECREF(source);
    }

    for (Py_ssize_t n = 0; n < added && !failed; n++)
        failed = PySet_Discard(seen, FIELD(PyTuple_GET_ITEM(calls, n), self->id)) < 0;
    Py_XDECREF(calls);
    if (failed || PyList_SetSlice(places, kept, PyList_GET_SIZE(places), NULL) < 0)
        return NULL;
    return PyLong_FromSsize_t(done);
}

/* The offset of a field, or -1 with an exception where it is no slot. */
static Py_ssize_t
offset_of(PyTypeObject *type, PyObject *name)
{
    PyObject *descriptor = PyObject_GetAttr((PyObject *)type, name);
    if (descriptor == NULL)
        return -1;
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(descriptor, &PyMemberDescr_Type)
        && ((PyMemberDescrObject *)descriptor)->d_member->type == T_OBJECT_EX)
        offset = ((PyMemberDescrObject *)descriptor)->d_member->offset;
    else
        PyErr_Format(PyExc_ImportError, "%s.%U is no slot", type->tp_name, name);
    Py_DECREF(descriptor);
    return offset;
}

static int
find(PyTypeObject *type, const char *name, Py_ssize_t *offset)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL)
        return -1;
    *offset = offset_of(type, text);
    Py_DECREF(text);
    return *offset < 0 ? -1 : 0;
}

/* The offsets of a Struct's fields from number `skip` on; returns how many, or -1. */
static int
find_all(PyTypeObject *type, Py_ssize_t skip, Py_ssize_t *offsets)
{
    PyObject *names = PyObject_GetAttrString((PyObject *)type, "__struct_fields__");
    if (names == NULL)
        return -1;
    int count = -1;
    if (!PyTuple_Check(names) || PyTuple_GET_SIZE(names) - skip > MOST_FIELDS)
        PyErr_SetString(PyExc_ImportError, "a message has more fields than are reckoned with");
    else
        for (count = 0; skip + count < PyTuple_GET_SIZE(names); count++)
            if ((offsets[count] = offset_of(type, PyTuple_GET_ITEM(names, skip + count))) < 0) {
                count = -1;
                break;
            }
    Py_DECREF(names);
    return count;
}

static PyObject *
ordinary_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *message, *context, *text, *call, *user_origin, *blanks, *empty_output;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "Ordinary takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!UU", &PyType_Type, &message, &PyType_Type, &context,
                          &PyType_Type, &text, &PyType_Type, &call, &PyType_Type, &user_origin,
                          &blanks, &empty_output))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)context, (PyTypeObject *)message)
        || PyUnicode_GET_LENGTH(empty_output) == 0) {
        PyErr_SetString(PyExc_ValueError, "Ordinary takes the types of the model and two texts");
        return NULL;
    }
    Ordinary *self = (Ordinary *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->message = (PyTypeObject *)Py_NewRef(message);
    self->context = (PyTypeObject *)Py_NewRef(context);
    self->text = (PyTypeObject *)Py_NewRef(text);
    self->call = (PyTypeObject *)Py_NewRef(call);
    self->user_origin = (PyTypeObject *)Py_NewRef(user_origin);
    self->blanks = Py_NewRef(blanks);
    self->empty_output = Py_NewRef(empty_output);
    self->empty_start = PyUnicode_READ_CHAR(empty_output, 0);
    self->wires = find_all(self->message, 0, self->wire);
    self->engines = self->wires < 0 ? -1 : find_all(self->context, self->wires, self->engine);
    if (self->engines < 0 || find(self->message, "role", &self->role) < 0
        || find(self->message, "content", &self->content) < 0
        || find(self->message, "tool_calls", &self->tool_calls) < 0
        || find(self->message, "tool_call_id", &self->tool_call_id) < 0
        || find(self->message, "partial", &self->partial) < 0
        || find(self->context, "origin", &self->origin) < 0
        || find(self->context, "is_error", &self->is_error) < 0
        || find(self->context, "note", &self->note) < 0
        || find(self->text, "text", &self->said) < 0 || find(self->call, "id", &self->id) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static int
ordinary_traverse(PyObject *object, visitproc visit, void *arg)
{
    Ordinary *self = (Ordinary *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->message);
    Py_VISIT(self->context);
    Py_VISIT(self->text);
    Py_VISIT(self->call);
    Py_VISIT(self->user_origin);
    return 0;
}

static int
ordinary_clear(PyObject *object)
{
    Ordinary *self = (Ordinary *)object;
    Py_CLEAR(self->message);
    Py_CLEAR(self->context);
    Py_CLEAR(self->text);
    Py_CLEAR(self->call);
    Py_CLEAR(self->user_origin);
    Py_CLEAR(self->blanks);
    Py_CLEAR(self->empty_output);
    return 0;
}

static void
ordinary_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    ordinary_clear(object);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyType_Slot ordinary_slots[] = {
    {Py_tp_doc, "ordinary(history, start, stop, places, open_calls, seen, arrivals, merges)"},
    {Py_tp_new, ordinary_new},
    {Py_tp_call, ordinary_call},
    {Py_tp_traverse, ordinary_traverse},
    {Py_tp_clear, ordinary_clear},
    {Py_tp_dealloc, ordinary_dealloc},
    {0, NULL},
};

static PyType_Spec ordinary_spec = {
    .name = "wiremend.projection._ordinary.Ordinary",
    .basicsize = sizeof(Ordinary),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = ordinary_slots,
};

static int
execute(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &ordinary_spec, NULL);
    if (type == NULL)
        return -1;
    int failed = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return failed;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, execute},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_ordinary",
    .m_doc = "The loop of ordinary.py in C.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC
PyInit__ordinary(void)
{
    return PyModuleDef_Init(&definition);
}
