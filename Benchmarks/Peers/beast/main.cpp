// A load client and an echo server with Boost.Beast, on one io_context with one thread. WebSocketBench compiles them
// and runs them in separate processes for comparison with Holdfast. The comments of "../websocket_client.py" and
// "../websocket_server.py" describe the commands and the answers.
//
// Arguments: "client" and the root certificate, or "server", the certificate chain and its key. All are PEM files.
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace net = boost::asio;
namespace ssl = net::ssl;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using beast::error_code;
using Clock = std::chrono::steady_clock;

// The executor's type is known, so that Asio does not erase it.
using Socket = net::basic_stream_socket<net::ip::tcp, net::io_context::executor_type>;
using Plain = websocket::stream<Socket>;
using Secure = websocket::stream<beast::ssl_stream<Socket>>;

template <class Stream> constexpr bool isSecure = std::is_same<Stream, Secure>::value;

const std::size_t largestMessage = 16 << 20;
// A buffer for a whole message of 64 KiB, so that Beast does not split it.
const std::size_t writeBuffer = (64 << 10) + 1024;

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what);
}

void check(error_code error, const char* what) {
    if (error) fail(std::string(what) + ": " + error.message());
}

double processorMicroseconds() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    auto microseconds = [](timeval time) { return time.tv_sec * 1e6 + time.tv_usec; };
    return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

template <class Stream> Stream makeStream(Socket socket, ssl::context& context) {
    if constexpr (isSecure<Stream>) {
        return Stream(std::move(socket), context);
    } else {
        return Stream(std::move(socket));
    }
}

template <class Stream> void configure(Stream& stream, bool deflates) {
    websocket::stream_base::timeout timeout = websocket::stream_base::timeout::suggested(beast::role_type::client);
    timeout.idle_timeout = websocket::stream_base::none();
    stream.set_option(timeout);
    websocket::permessage_deflate compression;
    compression.client_enable = deflates;
    compression.server_enable = deflates;
    stream.set_option(compression);
    stream.read_message_max(largestMessage);
    stream.auto_fragment(false);
    stream.write_buffer_bytes(writeBuffer);
}

struct Order {
    std::string url;
    bool isSecure;
    bool deflates;
    std::string port;
    std::size_t connections;
    int window;
    double seconds;
    std::string text;
};

// The results of all connections.
struct Tally {
    long messages = 0;
    std::size_t running = 0;
    std::vector<double> roundTrips;
};

struct Connection {
    virtual ~Connection() = default;
    virtual void open(std::function<void()> opened) = 0;
    virtual void run(const Order& order, Clock::time_point end, Tally& tally) = 0;
    virtual void close(std::function<void()> closed) = 0;
};

template <class Stream> class Client : public Connection {
public:
    Client(net::io_context& io, ssl::context& context, const Order& order)
        : stream(makeStream<Stream>(Socket(io), context)), endpoint(net::ip::address_v4::loopback(),
                                                              static_cast<unsigned short>(std::stoi(order.port))) {
        configure(stream, order.deflates);
        stream.text(true);
    }

    void open(std::function<void()> opened) override {
        beast::get_lowest_layer(stream).async_connect(endpoint, [this, opened](error_code error) {
            check(error, "connect");
            beast::get_lowest_layer(stream).set_option(net::ip::tcp::no_delay(true));
            if constexpr (isSecure<Stream>) {
                auto& tls = stream.next_layer();
                if (!SSL_set_tlsext_host_name(tls.native_handle(), "localhost") ||
                    !SSL_set1_host(tls.native_handle(), "localhost")) {
                    fail("the server name was not set");
                }
                tls.async_handshake(ssl::stream_base::client, [this, opened](error_code error) {
                    check(error, "TLS handshake");
                    upgrade(opened);
                });
            } else {
                upgrade(opened);
            }
        });
    }

    void run(const Order& order, Clock::time_point until, Tally& total) override {
        text = &order.text;
        end = until;
        tally = &total;
        keepsTimes = order.window == 1;
        inFlight = order.window;
        unsent = order.window;
        isChecked = false;
        sentAt = Clock::now();
        send();
        receive();
    }

    void close(std::function<void()> closed) override {
        // The server can close the socket first, so an error is not a failure.
        stream.async_close(websocket::close_code::normal, [closed](error_code) { closed(); });
    }

private:
    void upgrade(std::function<void()> opened) {
        stream.async_handshake("localhost:" + std::to_string(endpoint.port()), "/", [opened](error_code error) {
            check(error, "upgrade");
            opened();
        });
    }

    // Beast allows one write at a time. All messages are the same, so their number is the queue.
    void send() {
        isSending = true;
        stream.async_write(net::buffer(*text), [this](error_code error, std::size_t) {
            check(error, "write");
            isSending = false;
            if (--unsent > 0) send();
        });
    }

    void receive() {
        stream.async_read(buffer, [this](error_code error, std::size_t) {
            check(error, "read");
            received();
        });
    }

    void received() {
        if (buffer.size() != text->size()) fail("the echo differs from the message");
        // Of the first echo, each byte is compared.
        if (!isChecked && std::memcmp(buffer.data().data(), text->data(), text->size()) != 0) {
            fail("the echo differs from the message");
        }
        isChecked = true;
        buffer.consume(buffer.size());
        Clock::time_point now = Clock::now();
        tally->messages++;
        if (keepsTimes) tally->roundTrips.push_back(std::chrono::duration<double, std::micro>(now - sentAt).count());
        if (now < end) {
            sentAt = now;
            unsent++;
            if (!isSending) send();
        } else if (--inFlight == 0) {
            tally->running--;
            return;
        }
        receive();
    }

    Stream stream;
    net::ip::tcp::endpoint endpoint;
    beast::flat_buffer buffer;
    const std::string* text = nullptr;
    Tally* tally = nullptr;
    Clock::time_point end, sentAt;
    int inFlight = 0;
    int unsent = 0;
    bool isSending = false;
    bool keepsTimes = false;
    bool isChecked = false;
};

using Pool = std::vector<std::unique_ptr<Connection>>;

// Runs the io_context, which has a work guard, until the condition holds.
template <class Condition> void serve(net::io_context& io, Condition condition) {
    while (!condition()) io.run_one();
}

// Opens the missing connections, at most 64 at a time.
void openMore(net::io_context& io, ssl::context& context, const Order& order, Pool& pool) {
    std::size_t next = pool.size(), opened = pool.size();
    while (pool.size() < order.connections) {
        if (order.isSecure) {
            pool.push_back(std::make_unique<Client<Secure>>(io, context, order));
        } else {
            pool.push_back(std::make_unique<Client<Plain>>(io, context, order));
        }
    }
    std::function<void()> openNext = [&] {
        if (next < pool.size()) pool[next++]->open([&] { opened++, openNext(); });
    };
    for (int i = 0; i < 64; i++) openNext();
    serve(io, [&] { return opened == pool.size(); });
}

std::string measure(net::io_context& io, const Order& order, Pool& pool) {
    Tally tally;
    tally.running = pool.size();
    double cpu = processorMicroseconds();
    Clock::time_point start = Clock::now();
    Clock::time_point end = start + std::chrono::nanoseconds(static_cast<long>(order.seconds * 1e9));
    for (auto& connection : pool) connection->run(order, end, tally);
    serve(io, [&] { return tally.running == 0; });
    std::ostringstream answer;
    answer << std::fixed << tally.messages << " " << std::chrono::duration<double>(Clock::now() - start).count() << " "
           << processorMicroseconds() - cpu;
    auto& times = tally.roundTrips;
    if (!times.empty()) {
        std::sort(times.begin(), times.end());
        std::size_t tail = static_cast<std::size_t>(times.size() * 0.99);
        answer << " " << times[times.size() / 2] << " " << times[std::min(times.size() - 1, tail)];
    }
    return answer.str();
}

void runClient(const char* root) {
    net::io_context io(1);
    auto work = net::make_work_guard(io);
    ssl::context context(ssl::context::tls_client);
    context.load_verify_file(root);
    context.set_verify_mode(ssl::verify_peer);
    std::map<std::pair<std::string, bool>, Pool> pools;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        Order order;
        words >> order.url >> order.deflates >> order.connections >> order.window >> order.seconds;
        words.get();
        if (!words || !std::getline(words, order.text)) fail("a command is invalid");
        order.isSecure = order.url.rfind("wss:", 0) == 0;
        order.port = order.url.substr(order.url.rfind(':') + 1);
        Pool& pool = pools[{order.url, order.deflates}];
        if (order.seconds == 0) {
            std::size_t open = pool.size();
            for (auto& connection : pool) connection->close([&] { open--; });
            serve(io, [&] { return open == 0; });
            pools.erase({order.url, order.deflates});
            std::cout << "0 0 0" << std::endl;
            continue;
        }
        openMore(io, context, order, pool);
        std::cout << measure(io, order, pool) << std::endl;
    }
}

template <class Stream> class Session : public std::enable_shared_from_this<Session<Stream>> {
public:
    Session(Socket socket, ssl::context& context, bool deflates)
        : stream(makeStream<Stream>(std::move(socket), context)) {
        configure(stream, deflates);
    }

    void start() {
        beast::get_lowest_layer(stream).set_option(net::ip::tcp::no_delay(true));
        if constexpr (isSecure<Stream>) {
            stream.next_layer().async_handshake(
                ssl::stream_base::server, [self = this->shared_from_this()](error_code error) {
                    if (!error) self->accept();
                });
        } else {
            accept();
        }
    }

private:
    void accept() {
        stream.async_accept([self = this->shared_from_this()](error_code error) {
            if (!error) self->receive();
        });
    }

    // The buffer is the only message: the next one is read after its echo.
    void receive() {
        stream.async_read(buffer, [self = this->shared_from_this()](error_code error, std::size_t) {
            if (!error) self->send();
        });
    }

    void send() {
        stream.text(stream.got_text());
        stream.async_write(buffer.data(), [self = this->shared_from_this()](error_code error, std::size_t size) {
            if (error) return;
            self->buffer.consume(size);
            self->receive();
        });
    }

    Stream stream;
    beast::flat_buffer buffer;
};

class Listener {
public:
    Listener(net::io_context& io, ssl::context& context, bool isSecure, bool deflates)
        : acceptor(io, {net::ip::address_v4::loopback(), 0}), context(context), isSecure(isSecure), deflates(deflates) {
        acceptor.listen(1024);
    }

    unsigned short port() { return acceptor.local_endpoint().port(); }

    void accept() {
        acceptor.async_accept([this](error_code error, Socket socket) {
            check(error, "accept");
            if (isSecure) {
                std::make_shared<Session<Secure>>(std::move(socket), context, deflates)->start();
            } else {
                std::make_shared<Session<Plain>>(std::move(socket), context, deflates)->start();
            }
            accept();
        });
    }

private:
    net::basic_socket_acceptor<net::ip::tcp, net::io_context::executor_type> acceptor;
    ssl::context& context;
    bool isSecure;
    bool deflates;
};

void runServer(const char* chain, const char* key) {
    net::io_context io(1);
    ssl::context context(ssl::context::tls_server);
    context.use_certificate_chain_file(chain);
    context.use_private_key_file(key, ssl::context::pem);
    std::vector<std::unique_ptr<Listener>> listeners;
    for (bool isSecure : {false, true}) {
        for (bool deflates : {false, true}) {
            listeners.push_back(std::make_unique<Listener>(io, context, isSecure, deflates));
            listeners.back()->accept();
            std::cout << listeners.back()->port() << (isSecure && deflates ? "\n" : " ");
        }
    }
    std::cout.flush();
    net::posix::stream_descriptor input(io, STDIN_FILENO);
    char byte;
    input.async_read_some(net::buffer(&byte, 1), [&](error_code, std::size_t) { io.stop(); });
    io.run();
}

int main(int count, char** arguments) try {
    rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (count == 3 && !std::strcmp(arguments[1], "client")) {
        runClient(arguments[2]);
    } else if (count == 4 && !std::strcmp(arguments[1], "server")) {
        runServer(arguments[2], arguments[3]);
    } else {
        fail("expected: client ROOT, or server CHAIN KEY");
    }
} catch (const std::exception& error) {
    std::cerr << "beast: " << error.what() << std::endl;
    return 1;
}
