// Reports to the thread sanitizer that resuming a continuation happens before the rest of its task.
//
// The Swift runtime reports the order if the task already waits: the task is enqueued, and both sides of the queue are
// reported. If the continuation is resumed first, the task goes on without a queue. The runtime then reports the resumption
// (`_swift_tsan_release` with the task), but not that the task goes on. Without the functions below, the sanitizer reports a
// race for every value that was made by the thread that resumed.
//
// Each function replaces the function of the same name in the runtime: it reports that the task goes on, and calls the
// original. A task waits in code of this build (`swift_continuation_await`), or in the runtime's own code for checked
// continuations. That code calls itself directly, so it cannot be replaced; but the caller returns to its executor
// afterwards (`swift_task_switch`). Only a build with `HOLDFAST_SANITIZE=thread` contains this file;
// scripts/check-sanitizers.sh compares the names with the toolchain's.
#ifdef __linux__

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define AWAIT "swift_continuation_await"
#define SWITCH "swift_task_switch"

// Swift's calling convention for asynchronous functions: every call is a jump.
#define ASYNC_FUNCTION __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context)) void *
#define JUMP __attribute__((musttail)) return

// The interface of the sanitizer's runtime, <sanitizer/tsan_interface.h>, which some toolchains leave out.
void __tsan_acquire(void *address);

// The task of the thread. The runtime reports a task by the same address.
void *swift_task_getCurrent(void);

typedef ASYNC_FUNCTION void Await(void *continuation);
typedef ASYNC_FUNCTION void Switch(ASYNC_CONTEXT context, void *function, void *executor, uintptr_t kind);

Await await_continuation __asm__(AWAIT);
Switch switch_executor __asm__(SWITCH);

static void report(void) {
    void *task = swift_task_getCurrent();
    if (task) __tsan_acquire(task);
}

// Relaxed: any other order would join all threads that call, and hide races from the sanitizer.
static void *original(_Atomic(void *) *cache, const char *name) {
    void *function = atomic_load_explicit(cache, memory_order_relaxed);
    if (function == NULL) {
        function = dlsym(RTLD_NEXT, name);
        atomic_store_explicit(cache, function, memory_order_relaxed);
    }
    return function;
}

ASYNC_FUNCTION void await_continuation(void *continuation) {
    static _Atomic(void *) cache;
    report();
    JUMP ((Await *)original(&cache, AWAIT))(continuation);
}

ASYNC_FUNCTION void switch_executor(ASYNC_CONTEXT context, void *function, void *executor, uintptr_t kind) {
    static _Atomic(void *) cache;
    report();
    JUMP ((Switch *)original(&cache, SWITCH))(context, function, executor, kind);
}

#endif
