#ifndef THREAD_SANITIZER_RUNTIME_H
#define THREAD_SANITIZER_RUNTIME_H

/// Returns how often a thread has found a `Mutex` locked and started to wait for it.
unsigned long thread_sanitizer_mutex_waits(void);

#endif
