// A load client and an echo server with libwebsockets and its service loop, on one thread. WebSocketBench compiles them
// and runs them in separate processes for comparison with Holdfast. The comments of "../websocket_client.py" and
// "../websocket_server.py" describe the commands and the answers. This program does not compress.
//
// Arguments: "client" and the root certificate, or "server", the certificate chain and its key. All are PEM files.
#define _GNU_SOURCE
#include <libwebsockets.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

// A whole message of 64 KiB is read and received at once.
#define READ_BUFFER ((64 << 10) + 1024)
#define AT_ONCE 64

struct message {
    struct message *next;
    size_t length;
    bool is_text;
    // The library writes the header into LWS_PRE bytes before the payload.
    unsigned char bytes[];
};

// A connection of the client or of the server.
struct connection {
    struct lws *wsi;
    // Of the server: the message that arrives, and the messages that wait for the socket.
    struct message *arriving;
    struct message *first, *last;
    // Of the client.
    struct connection *next;
    size_t received;
    int unsent, in_flight;
    double sent_at;
    bool is_checked;
};

// Connections of the client to one URL.
struct pool {
    struct pool *next;
    char url[256];
    struct connection *connections;
    size_t count;
};

static bool is_finished;
// The command in progress.
static unsigned char *frame;
static size_t text_length;
static int window;
static double end;
// Its connections: opened, still running, and still open.
static size_t opened, running, open_connections;
static long messages;
static double *times;
static size_t time_count, time_capacity;

static void fail(const char *what) {
    fprintf(stderr, "libwebsockets: %s\n", what);
    exit(1);
}

static void *allocate(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (!memory) fail("out of memory");
    return memory;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static double processor_microseconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

// Counts a complete echo, and sends the next message until the end.
static void echoed(struct connection *connection) {
    double time = now();
    if (connection->received != text_length) fail("the echo differs from the message");
    connection->received = 0;
    connection->is_checked = true;
    messages++;
    if (window == 1) {
        if (time_count == time_capacity) {
            time_capacity = time_capacity * 2 + 1024;
            times = allocate(times, time_capacity * sizeof *times);
        }
        times[time_count++] = (time - connection->sent_at) * 1e6;
    }
    if (time < end) {
        connection->sent_at = time;
        connection->unsent++;
        lws_callback_on_writable(connection->wsi);
    } else if (--connection->in_flight == 0) {
        running--;
    }
}

static int client_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    struct connection *connection = user;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        opened++;
        break;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        fail(in ? in : "the connection failed");
        break;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        // Of the first echo, each byte is compared.
        if (connection->received + length > text_length ||
            (!connection->is_checked && memcmp(frame + LWS_PRE + connection->received, in, length) != 0)) {
            fail("the echo differs from the message");
        }
        connection->received += length;
        if (lws_is_final_fragment(wsi)) echoed(connection);
        break;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        if (is_finished) {
            lws_close_reason(wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
            return -1;
        }
        // The library permits one write for each callback. The client's mask changes the bytes, so they are copied.
        if (connection->unsent > 0) {
            static unsigned char copy[LWS_PRE + (1 << 20)];
            if (text_length > sizeof copy - LWS_PRE) fail("the text is too long");
            memcpy(copy + LWS_PRE, frame + LWS_PRE, text_length);
            if (lws_write(wsi, copy + LWS_PRE, text_length, LWS_WRITE_TEXT) < (int)text_length) fail("write failed");
            if (--connection->unsent > 0) lws_callback_on_writable(wsi);
        }
        break;
    case LWS_CALLBACK_CLIENT_CLOSED:
        if (!is_finished) fail("the server closed the connection");
        open_connections--;
        break;
    default:
        break;
    }
    return 0;
}

static void enqueue(struct connection *connection) {
    struct message *message = connection->arriving;
    connection->arriving = NULL;
    if (connection->last) {
        connection->last->next = message;
    } else {
        connection->first = message;
    }
    connection->last = message;
    lws_callback_on_writable(connection->wsi);
}

static void receive(struct connection *connection, const void *bytes, size_t length) {
    struct lws *wsi = connection->wsi;
    struct message *message = connection->arriving;
    // The rest of the frame is known, so that a message in one frame needs one allocation.
    size_t size = (message ? message->length : 0) + length + lws_remaining_packet_payload(wsi);
    if (!message || size > message->length + length) message = allocate(message, sizeof *message + LWS_PRE + size);
    if (!connection->arriving) {
        message->next = NULL;
        message->length = 0;
        message->is_text = !lws_frame_is_binary(wsi);
    }
    memcpy(message->bytes + LWS_PRE + message->length, bytes, length);
    message->length += length;
    connection->arriving = message;
    if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0) enqueue(connection);
}

static int server_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    struct connection *connection = user;
    struct message *message;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        connection->wsi = wsi;
        break;
    case LWS_CALLBACK_RECEIVE:
        receive(connection, in, length);
        break;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        message = connection->first;
        if (!message) break;
        if (lws_write(wsi, message->bytes + LWS_PRE, message->length,
                      message->is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY) < (int)message->length) {
            return -1;
        }
        connection->first = message->next;
        if (!connection->first) connection->last = NULL;
        free(message);
        if (connection->first) lws_callback_on_writable(wsi);
        break;
    case LWS_CALLBACK_CLOSED:
        free(connection->arriving);
        while ((message = connection->first)) {
            connection->first = message->next;
            free(message);
        }
        break;
    default:
        break;
    }
    return 0;
}

// Watches the server's input, whose end ends the server.
static int input_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    (void)user, (void)in, (void)length;
    if (reason == LWS_CALLBACK_RAW_RX_FILE || reason == LWS_CALLBACK_RAW_CLOSE_FILE) {
        is_finished = true;
        lws_cancel_service(lws_get_context(wsi));
    }
    return 0;
}

static const struct lws_protocols client_protocols[] = {
    {.name = "client", .callback = client_callback, .rx_buffer_size = READ_BUFFER}, {0}};
static const struct lws_protocols server_protocols[] = {
    {.name = "server", .callback = server_callback, .per_session_data_size = sizeof(struct connection),
     .rx_buffer_size = READ_BUFFER},
    {.name = "input", .callback = input_callback},
    {0}};

static struct lws_context *create_context(const char *root) {
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = client_protocols,
        .pt_serv_buf_size = READ_BUFFER,
        .client_ssl_ca_filepath = root,
        .options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS |
                   (root ? 0 : LWS_SERVER_OPTION_EXPLICIT_VHOSTS),
    };
    struct lws_context *context = lws_create_context(&info);
    if (!context) fail("the context was not created");
    return context;
}

static void open_one(struct lws_context *context, struct pool *pool, int port, bool is_secure) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) fail("out of memory");
    connection->next = pool->connections;
    pool->connections = connection;
    pool->count++;
    // The library verifies the chain and the host name, unless flags switch this off.
    struct lws_client_connect_info info = {
        .context = context,
        .address = "127.0.0.1",
        .port = port,
        .path = "/",
        .host = "localhost",
        .ssl_connection = is_secure ? LCCSCF_USE_SSL : 0,
        .alpn = "http/1.1",
        .local_protocol_name = "client",
        .userdata = connection,
        .pwsi = &connection->wsi,
    };
    if (!lws_client_connect_via_info(&info)) fail("the connection failed");
}

static int compare(const void *first, const void *second) {
    double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

static void measure(struct lws_context *context, struct pool *pool, double seconds) {
    messages = 0;
    time_count = 0;
    running = pool->count;
    double cpu = processor_microseconds(), start = now();
    end = start + seconds;
    for (struct connection *connection = pool->connections; connection; connection = connection->next) {
        connection->unsent = connection->in_flight = window;
        connection->is_checked = false;
        connection->sent_at = now();
        lws_callback_on_writable(connection->wsi);
    }
    while (running > 0) lws_service(context, 0);
    printf("%ld %f %f", messages, now() - start, processor_microseconds() - cpu);
    if (time_count > 0) {
        qsort(times, time_count, sizeof *times, compare);
        size_t tail = (size_t)(time_count * 0.99);
        printf(" %f %f", times[time_count / 2], times[tail < time_count ? tail : time_count - 1]);
    }
    putchar('\n');
    fflush(stdout);
}

static void close_all(struct lws_context *context, struct pool *pool) {
    is_finished = true;
    open_connections = pool->count;
    for (struct connection *connection = pool->connections; connection; connection = connection->next) {
        lws_callback_on_writable(connection->wsi);
    }
    while (open_connections > 0) lws_service(context, 0);
    is_finished = false;
    while (pool->connections) {
        struct connection *connection = pool->connections;
        pool->connections = connection->next;
        free(connection);
    }
    pool->count = 0;
    puts("0 0 0");
    fflush(stdout);
}

static struct pool *pool_for(struct pool **pools, const char *url) {
    for (struct pool *pool = *pools; pool; pool = pool->next) {
        if (!strcmp(pool->url, url)) return pool;
    }
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool) fail("out of memory");
    snprintf(pool->url, sizeof pool->url, "%s", url);
    pool->next = *pools;
    *pools = pool;
    return pool;
}

static void run_client(const char *root) {
    struct lws_context *context = create_context(root);
    struct pool *pools = NULL;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, stdin)) > 0) {
        if (line[length - 1] == '\n') line[--length] = 0;
        char url[256];
        int deflates, text_start = 0;
        size_t connections;
        double seconds;
        if (sscanf(line, "%255s %d %zu %d %lf%n", url, &deflates, &connections, &window, &seconds, &text_start) != 5 ||
            deflates || text_start >= length || !strrchr(url, ':')) {
            fail("a command is invalid");
        }
        text_length = (size_t)(length - text_start - 1);
        frame = allocate(frame, LWS_PRE + text_length);
        memcpy(frame + LWS_PRE, line + text_start + 1, text_length);
        struct pool *pool = pool_for(&pools, url);
        if (seconds == 0) {
            close_all(context, pool);
            continue;
        }
        opened = pool->count;
        while (opened < connections) {
            while (pool->count < connections && pool->count - opened < AT_ONCE) {
                open_one(context, pool, atoi(strrchr(url, ':') + 1), !strncmp(url, "wss:", 4));
            }
            lws_service(context, 0);
        }
        measure(context, pool, seconds);
    }
}

static int listen_on_free_port(struct lws_context *context, const char *chain, const char *key) {
    struct lws_context_creation_info info = {
        .iface = "127.0.0.1",
        .protocols = server_protocols,
        .vhost_name = key ? "secure" : "plain",
        .ssl_cert_filepath = chain,
        .ssl_private_key_filepath = key,
        .options = key ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0,
    };
    struct lws_vhost *vhost = lws_create_vhost(context, &info);
    if (!vhost) fail("the server did not start");
    if (!key && !lws_adopt_descriptor_vhost(vhost, LWS_ADOPT_RAW_FILE_DESC, (lws_sock_file_fd_type){.filefd = 0},
                                            "input", NULL)) {
        fail("the input cannot be watched");
    }
    return lws_get_vhost_listen_port(vhost);
}

static void run_server(const char *chain, const char *key) {
    struct lws_context *context = create_context(NULL);
    int plain = listen_on_free_port(context, NULL, NULL);
    int secure = listen_on_free_port(context, chain, key);
    printf("%d 0 %d 0\n", plain, secure);
    fflush(stdout);
    while (!is_finished) lws_service(context, 0);
}

int main(int count, char **arguments) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    lws_set_log_level(LLL_ERR | LLL_WARN, NULL);
    if (count == 3 && !strcmp(arguments[1], "client")) {
        run_client(arguments[2]);
    } else if (count == 4 && !strcmp(arguments[1], "server")) {
        run_server(arguments[2], arguments[3]);
    } else {
        fail("expected: client ROOT, or server CHAIN KEY");
    }
    return 0;
}
