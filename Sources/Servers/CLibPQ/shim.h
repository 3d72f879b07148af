#ifndef HOLDFAST_CLIBPQ_H
#define HOLDFAST_CLIBPQ_H

#include <libpq-fe.h>
#include <stddef.h>

/* Discards the server's notices. libpq prints them to standard error by default. */
static inline void holdfast_pq_ignore_notice(void *context, const char *message) {
    (void)context;
    (void)message;
}

static inline void holdfast_pq_silence(PGconn *connection) {
    PQsetNoticeProcessor(connection, holdfast_pq_ignore_notice, NULL);
}

#endif
