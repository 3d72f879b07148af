import Dispatch
import HoldfastSystem
import HoldfastTrust
import NIOCore
import NIOPosix

/// Resolves names to addresses.
struct AddressResolver: Sendable {
    /// Returns the addresses of a host name, within a time limit.
    var addresses: @Sendable (CanonicalHost, _ limit: Duration) async throws -> [CanonicalHost]

    /// The resolver did not answer in time, or it does not know the name.
    struct Failure: Error {}

    /// The maximum number of addresses that are read. Further ones are ignored.
    private static let limit = 64

    /// The system's resolver. It blocks, so it runs on its own queue. The server limits the number of its callers.
    static let system: AddressResolver = {
        let queue = DispatchQueue(label: "holdfast.chat-page.resolver", attributes: .concurrent)
        return AddressResolver { host, limit in
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let promise = loop.makePromise(of: [CanonicalHost].self)
            let timer = loop.scheduleTask(in: TimeAmount(limit)) { promise.fail(Failure()) }
            queue.async {
                let found = lookUp(host.text)
                loop.execute { found.isEmpty ? promise.fail(Failure()) : promise.succeed(found) }
            }
            defer { timer.cancel() }
            return try await promise.futureResult.get()
        }
    }()

    /// Returns the addresses of a name. Blocks.
    private static func lookUp(_ name: String) -> [CanonicalHost] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = SystemCalls.streamSocket
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [CanonicalHost] = []
        var entry = list
        while let info = entry?.pointee, found.count < limit {
            if let address = info.ai_addr, let host = numeric(address, info.ai_addrlen) { found.append(host) }
            entry = info.ai_next
        }
        return found
    }

    private static func numeric(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CanonicalHost? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        // A link-local address has its interface after a percent sign. Without it, the address is refused as local.
        return try? CanonicalHost(String(decoding: bytes.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self))
    }
}
