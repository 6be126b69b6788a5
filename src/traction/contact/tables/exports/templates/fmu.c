/* FMI 2.0 functions of a creep-force table, for model exchange and co-simulation: outputs are functions of the
 * inputs alone, there are no states and no events. Types and functions are declared as the standard defines
 * them (Functional Mock-up Interface for Model Exchange and Co-Simulation, version 2.0). */
#include "@HEADER@"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#if defined(_WIN32) || defined(__CYGWIN__)
#define EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

#ifdef FMI2_FUNCTION_PREFIX /* sources that are linked with other units */
#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#define FMI(name) JOINED(FMI2_FUNCTION_PREFIX, name)
#else
#define FMI(name) name
#endif

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;
enum { fmi2False = 0, fmi2True = 1 };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef void *(*fmi2CallbackAllocateMemory)(size_t, size_t);
typedef void (*fmi2CallbackFreeMemory)(void *);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment, fmi2Status);

typedef struct {
    const fmi2CallbackLogger logger;
    const fmi2CallbackAllocateMemory allocateMemory;
    const fmi2CallbackFreeMemory freeMemory;
    const fmi2StepFinished stepFinished;
    const fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

/* value references */
enum { XI, ETA, PHI, A, B, LOAD, FRICTION, INPUTS, FX = INPUTS, FY, MZ, VARIABLES };

static const double start[INPUTS] = {@START@};

typedef struct {
    double input[INPUTS];
    double time;
} State;

typedef struct {
    State state;
    fmi2CallbackFunctions callbacks;
    char name[128];
} Unit;

static void report(const Unit *unit, fmi2Status status, const char *category, const char *message)
{
    if (unit->callbacks.logger != NULL)
        unit->callbacks.logger(unit->callbacks.componentEnvironment, unit->name, status, category, "%s",
                               message);
}

static fmi2Status refuse(const Unit *unit, const char *message)
{
    report(unit, fmi2Error, "logStatusError", message);
    return fmi2Error;
}

/* Forces and their derivatives by creepages; those that do not exist are reported. */
static fmi2Status compute(const Unit *unit, double force[3], double jacobian[9])
{
    const double *u = unit->state.input;
    char message[400];
    @NAME@(u, u[A], u[B], u[LOAD], u[FRICTION], force, jacobian);
    if (force[0] == force[0] && force[1] == force[1] && force[2] == force[2])
        return fmi2OK;
    snprintf(message, sizeof message,
             "no creep forces for a = %g m, b = %g m (a/b must be @LOW@ to @HIGH@), load = %g N, friction = %g "
             "(not negative), xi = %g, eta = %g, phi = %g rad/m (finite).",
             u[A], u[B], u[LOAD], u[FRICTION], u[XI], u[ETA], u[PHI]);
    report(unit, fmi2Discard, "logStatusDiscard", message);
    return fmi2Discard;
}

/* Derivatives of the forces by one input. Forces over mu N depend on xi, eta over mu N/c^2, on phi over
 * mu N/c^3 and on a/b alone: the derivatives by load, friction and c follow from those by creepages. */
static fmi2Status differentiate(const Unit *unit, fmi2ValueReference input, double derivative[3])
{
    const double *u = unit->state.input;
    double force[3], jacobian[9];
    fmi2Status status = compute(unit, force, jacobian);
    int k;
    if (status != fmi2OK)
        return status;
    if (u[LOAD] == 0.0 || u[FRICTION] == 0.0) { /* neither forces nor derivatives */
        derivative[0] = derivative[1] = derivative[2] = 0.0;
        return fmi2OK;
    }
    if (input == A || input == B)
        @NAME@_by_ratio(u, u[A], u[B], u[LOAD], u[FRICTION], derivative);
    for (k = 0; k < 3; ++k) {
        const double *by = jacobian + 3 * k;
        const double flat = by[XI] * u[XI] + by[ETA] * u[ETA], turned = by[PHI] * u[PHI];
        if (input == A || input == B) {
            const double by_size = 2.0 * flat + 3.0 * turned + (k == 2 ? force[k] : 0.0);
            derivative[k] = (0.5 * by_size + (input == A ? 1.0 : -1.0) * derivative[k]) / u[input];
        } else if (input == LOAD || input == FRICTION) {
            derivative[k] = (force[k] - flat - turned) / u[input];
        } else {
            derivative[k] = by[input];
        }
    }
    return fmi2OK;
}

EXPORT const char *FMI(fmi2GetTypesPlatform)(void)
{
    return "default";
}

EXPORT const char *FMI(fmi2GetVersion)(void)
{
    return "2.0";
}

EXPORT fmi2Status FMI(fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t count,
                                           const fmi2String categories[])
{
    (void)c, (void)on, (void)count, (void)categories; /* only faults are reported, always */
    return fmi2OK;
}

EXPORT void FMI(fmi2FreeInstance)(fmi2Component c)
{
    Unit *unit = c;
    if (unit != NULL)
        unit->callbacks.freeMemory(unit);
}

EXPORT fmi2Status FMI(fmi2Reset)(fmi2Component c)
{
    Unit *unit = c;
    memcpy(unit->state.input, start, sizeof start);
    unit->state.time = 0.0;
    return fmi2OK;
}

EXPORT fmi2Component FMI(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String guid,
                                          fmi2String resources, const fmi2CallbackFunctions *functions,
                                          fmi2Boolean visible, fmi2Boolean logging)
{
    Unit *unit;
    (void)type, (void)resources, (void)visible, (void)logging;
    if (functions == NULL || functions->allocateMemory == NULL || functions->freeMemory == NULL)
        return NULL;
    if (guid == NULL || strcmp(guid, "@GUID@") != 0) {
        if (functions->logger != NULL)
            functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError",
                              "the GUID is not that of this unit, @GUID@.");
        return NULL;
    }
    unit = functions->allocateMemory(1, sizeof *unit);
    if (unit == NULL)
        return NULL;
    memcpy(&unit->callbacks, functions, sizeof unit->callbacks);
    snprintf(unit->name, sizeof unit->name, "%s", name == NULL ? "" : name);
    FMI(fmi2Reset)(unit);
    return unit;
}

EXPORT fmi2Status FMI(fmi2SetupExperiment)(fmi2Component c, fmi2Boolean defined, fmi2Real tolerance,
                                           fmi2Real start_time, fmi2Boolean ends, fmi2Real stop_time)
{
    (void)defined, (void)tolerance, (void)ends, (void)stop_time;
    ((Unit *)c)->state.time = start_time;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2EnterInitializationMode)(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2ExitInitializationMode)(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2Terminate)(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2GetReal)(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                   fmi2Real values[])
{
    const Unit *unit = c;
    fmi2Status status = fmi2OK;
    double force[3];
    int known = 0;
    size_t k;
    for (k = 0; k < count; ++k) {
        if (references[k] >= VARIABLES)
            return refuse(unit, "fmi2GetReal: no variable has this value reference.");
        if (references[k] >= FX && !known) {
            status = compute(unit, force, NULL);
            known = 1;
        }
        values[k] = references[k] < FX ? unit->state.input[references[k]] : force[references[k] - FX];
    }
    return status;
}

EXPORT fmi2Status FMI(fmi2SetReal)(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                   const fmi2Real values[])
{
    Unit *unit = c;
    size_t k;
    for (k = 0; k < count; ++k) {
        if (references[k] >= INPUTS)
            return refuse(unit, "fmi2SetReal: no input has this value reference.");
        unit->state.input[references[k]] = values[k];
    }
    return fmi2OK;
}

/* There are variables of type Real only. */
#define NO_VARIABLES(function, type)                                                                           \
    EXPORT fmi2Status FMI(function)(fmi2Component c, const fmi2ValueReference references[], size_t count,     \
                                    type values[])                                                            \
    {                                                                                                          \
        (void)references, (void)values;                                                                       \
        return count == 0 ? fmi2OK : refuse(c, #function ": there is no variable of this type.");             \
    }

NO_VARIABLES(fmi2GetInteger, fmi2Integer)
NO_VARIABLES(fmi2GetBoolean, fmi2Boolean)
NO_VARIABLES(fmi2GetString, fmi2String)
NO_VARIABLES(fmi2SetInteger, const fmi2Integer)
NO_VARIABLES(fmi2SetBoolean, const fmi2Boolean)
NO_VARIABLES(fmi2SetString, const fmi2String)

EXPORT fmi2Status FMI(fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state)
{
    const Unit *unit = c;
    if (*state == NULL)
        *state = unit->callbacks.allocateMemory(1, sizeof(State));
    if (*state == NULL)
        return refuse(unit, "fmi2GetFMUstate: there is no memory left.");
    memcpy(*state, &unit->state, sizeof(State));
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state)
{
    memcpy(&((Unit *)c)->state, state, sizeof(State));
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state)
{
    if (*state != NULL)
        ((Unit *)c)->callbacks.freeMemory(*state);
    *state = NULL;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(State);
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    if (size < sizeof(State))
        return refuse(c, "fmi2SerializeFMUstate: there is too little room for the state.");
    memcpy(bytes, state, sizeof(State));
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                               fmi2FMUstate *state)
{
    if (size != sizeof(State))
        return refuse(c, "fmi2DeSerializeFMUstate: these bytes are not a state of this unit.");
    if (*state == NULL)
        *state = ((Unit *)c)->callbacks.allocateMemory(1, sizeof(State));
    if (*state == NULL)
        return refuse(c, "fmi2DeSerializeFMUstate: there is no memory left.");
    memcpy(*state, bytes, sizeof(State));
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknowns[],
                                                    size_t unknown_count, const fmi2ValueReference knowns[],
                                                    size_t known_count, const fmi2Real direction[],
                                                    fmi2Real derivative[])
{
    const Unit *unit = c;
    double column[3];
    size_t i, k;
    for (i = 0; i < unknown_count; ++i) {
        if (unknowns[i] < FX || unknowns[i] >= VARIABLES)
            return refuse(unit, "fmi2GetDirectionalDerivative: an unknown is not an output.");
        derivative[i] = 0.0;
    }
    for (k = 0; k < known_count; ++k) {
        fmi2Status status;
        if (knowns[k] >= INPUTS)
            return refuse(unit, "fmi2GetDirectionalDerivative: a known is not an input.");
        if (direction[k] == 0.0)
            continue;
        status = differentiate(unit, knowns[k], column);
        if (status != fmi2OK)
            return status;
        for (i = 0; i < unknown_count; ++i)
            derivative[i] += column[unknowns[i] - FX] * direction[k];
    }
    return fmi2OK;
}

/* Model exchange: no states, no events. */

EXPORT fmi2Status FMI(fmi2EnterEventMode)(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2NewDiscreteStates)(fmi2Component c, fmi2EventInfo *info)
{
    (void)c;
    info->newDiscreteStatesNeeded = info->terminateSimulation = fmi2False;
    info->nominalsOfContinuousStatesChanged = info->valuesOfContinuousStatesChanged = fmi2False;
    info->nextEventTimeDefined = fmi2False;
    info->nextEventTime = 0.0;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2EnterContinuousTimeMode)(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2CompletedIntegratorStep)(fmi2Component c, fmi2Boolean kept, fmi2Boolean *events,
                                                   fmi2Boolean *terminate)
{
    (void)c, (void)kept;
    *events = *terminate = fmi2False;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2SetTime)(fmi2Component c, fmi2Real time)
{
    ((Unit *)c)->state.time = time;
    return fmi2OK;
}

#define NO_STATES(function, type)                                                                              \
    EXPORT fmi2Status FMI(function)(fmi2Component c, type values[], size_t count)                             \
    {                                                                                                          \
        (void)values;                                                                                          \
        return count == 0 ? fmi2OK : refuse(c, #function ": there are no states and no event indicators.");   \
    }

NO_STATES(fmi2SetContinuousStates, const fmi2Real)
NO_STATES(fmi2GetDerivatives, fmi2Real)
NO_STATES(fmi2GetEventIndicators, fmi2Real)
NO_STATES(fmi2GetContinuousStates, fmi2Real)
NO_STATES(fmi2GetNominalsOfContinuousStates, fmi2Real)

/* Co-simulation: a step ends where it is asked to. */

EXPORT fmi2Status FMI(fmi2SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference references[],
                                                   size_t count, const fmi2Integer orders[],
                                                   const fmi2Real values[])
{
    (void)references, (void)orders, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "fmi2SetRealInputDerivatives: inputs are not interpolated.");
}

EXPORT fmi2Status FMI(fmi2GetRealOutputDerivatives)(fmi2Component c, const fmi2ValueReference references[],
                                                    size_t count, const fmi2Integer orders[], fmi2Real values[])
{
    (void)references, (void)orders, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "fmi2GetRealOutputDerivatives: there are none.");
}

EXPORT fmi2Status FMI(fmi2DoStep)(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean kept)
{
    (void)kept;
    ((Unit *)c)->state.time = time + step;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2CancelStep)(fmi2Component c)
{
    return refuse(c, "fmi2CancelStep: steps are not asynchronous.");
}

EXPORT fmi2Status FMI(fmi2GetStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)c, (void)kind;
    *value = fmi2OK;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    if (kind != fmi2LastSuccessfulTime)
        return refuse(c, "fmi2GetRealStatus: only fmi2LastSuccessfulTime is a number.");
    *value = ((Unit *)c)->state.time;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2GetIntegerStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)kind, (void)value;
    return refuse(c, "fmi2GetIntegerStatus: there is no such status.");
}

EXPORT fmi2Status FMI(fmi2GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    if (kind != fmi2Terminated)
        return refuse(c, "fmi2GetBooleanStatus: only fmi2Terminated is true or false.");
    *value = fmi2False;
    return fmi2OK;
}

EXPORT fmi2Status FMI(fmi2GetStringStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)kind, (void)value;
    return refuse(c, "fmi2GetStringStatus: there is no such status.");
}
