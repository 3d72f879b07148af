// Reports the slow path of Swift's `Mutex` to the thread sanitizer.
//
// The fast path of `Mutex` is compiled into the code that uses it, so the sanitizer sees its atomic operations. The slow
// path, for a lock that another thread holds, is in the toolchain's libswiftSynchronization.so, which is not
// instrumented. Without the functions below, the sanitizer misses the order between two threads that compete for a lock,
// and reports a race for every value that the lock guards.
//
// Each function replaces the function of the same name in the library, calls it, and reports what it does. The address of
// the lock is the address that the fast path uses, so the sanitizer joins both paths. Only a build with
// `HOLDFAST_SANITIZE=thread` contains this file; scripts/check-sanitizers.sh compares the names with the toolchain's.
#ifdef __linux__

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ThreadSanitizerRuntime.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// `_MutexHandle._lockSlow(UInt32)`, `_tryLockSlow() -> Bool` and `_unlockSlow()` of the module Synchronization.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Swift's calling convention: the lock is the receiver of each method.
#define SWIFT_METHOD __attribute__((swiftcall))
#define RECEIVER __attribute__((swift_context)) void *

// The interface of the sanitizer's runtime, <sanitizer/tsan_interface.h>, which some toolchains leave out.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Relaxed: any other order would join all threads that wait, and hide races from the sanitizer.
static atomic_ulong waits;

unsigned long thread_sanitizer_mutex_waits(void) { return atomic_load_explicit(&waits, memory_order_relaxed); }

SWIFT_METHOD void lock(uint32_t thread, RECEIVER mutex) __asm__(LOCK);
SWIFT_METHOD bool try_lock(RECEIVER mutex) __asm__(TRY_LOCK);
SWIFT_METHOD void unlock(RECEIVER mutex) __asm__(UNLOCK);

SWIFT_METHOD void lock(uint32_t thread, RECEIVER mutex) {
    SWIFT_METHOD void (*original)(uint32_t, RECEIVER) = dlsym(RTLD_NEXT, LOCK);
    atomic_fetch_add_explicit(&waits, 1, memory_order_relaxed);
    original(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT_METHOD bool try_lock(RECEIVER mutex) {
    SWIFT_METHOD bool (*original)(RECEIVER) = dlsym(RTLD_NEXT, TRY_LOCK);
    const bool locked = original(mutex);
    if (locked) __tsan_acquire(mutex);
    return locked;
}

SWIFT_METHOD void unlock(RECEIVER mutex) {
    SWIFT_METHOD void (*original)(RECEIVER) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(mutex);
    original(mutex);
}

#endif
