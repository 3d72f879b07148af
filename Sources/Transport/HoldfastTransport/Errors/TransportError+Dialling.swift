import HoldfastNIO
import HoldfastSystem
import HoldfastTrust
import NIOCore
import NIOPosix

extension TransportError {
    /// Creates the error for a connection that NIO could not open.
    init(connecting error: any Error, to target: DialTarget) {
        switch error {
        case let error as TransportError:
            self = error
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            let codes = [error.dnsAError, error.dnsAAAAError].map { ($0 as? SocketAddressError.UnknownHost)?.errorCode }
            self.init(resolving: target.host, codes: codes.compactMap(\.self), addresses: Self.addresses)
        case let error as NIOConnectionError:
            self.init(attempts: error.connectionErrors.map { DialAttempt("\($0.target)", $0.error) }, to: target)
        case ChannelError.connectTimeout(let amount):
            self.init(
                .timedOut, in: .connecting,
                "\(target.host):\(target.port) did not answer within \(amount.nanoseconds / 1_000_000) ms.")
        default:
            self.init(attempts: [DialAttempt("\(target.host):\(target.port)", error)], to: target)
        }
    }

    /// Creates the error for a handshake that failed.
    init(handshake error: any Error) {
        switch error {
        case let error as TransportError:
            self = error
        case let refusal as TrustRefusal:
            self.init(refused: refusal.verdict)
        case let failure as HandshakeFailure where failure.code == .timedOut:
            self.init(.timedOut, in: .tls, failure.reason)
        case let failure as HandshakeFailure:
            self.init(.tlsHandshakeFailed, in: .tls, failure.reason, handshake: failure)
        default:
            let failure = HandshakeFailure(.closed, "The connection was closed before the TLS handshake: \(error).")
            self.init(.tlsHandshakeFailed, in: .tls, failure.reason, handshake: failure)
        }
    }

    /// Creates the error for a name without an address, from the resolver's codes and the machine's own addresses.
    init(resolving host: CanonicalHost, codes: [Int], addresses: [String]) {
        // A resolver reports "try again" if it cannot reach its name server.
        if codes.contains(Int(EAI_AGAIN)) || !addresses.contains(where: Self.isRoutable) {
            self.init(.noConnectivity, in: .connecting, "The name server for \(host) cannot be reached.")
        } else {
            self.init(.unresolvedHost, in: .connecting, "The host \(host) has no known address.")
        }
    }

    private init(attempts: [DialAttempt], to target: DialTarget) {
        let numbers = attempts.compactMap(\.errno)
        let list = attempts.map { "\($0.address): \($0.reason)" }.joined(separator: "; ")
        let offline: Set<Int32> = [ENETUNREACH, EHOSTUNREACH, ENETDOWN]
        if !numbers.isEmpty, numbers.allSatisfy(offline.contains) {
            self.init(.noConnectivity, in: .connecting, "No route to \(target.host): \(list).", attempts: attempts)
        } else if !numbers.isEmpty, numbers.allSatisfy({ $0 == ETIMEDOUT }) {
            self.init(.timedOut, in: .connecting, "\(target.host) did not answer: \(list).", attempts: attempts)
        } else {
            self.init(
                .connectionRefused, in: .connecting,
                "Connecting to \(target.host):\(target.port) failed: \(list).", attempts: attempts)
        }
    }

    /// The addresses of this machine.
    private static var addresses: [String] {
        ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
    }

    /// Returns whether an address is neither a loopback nor a link-local address.
    private static func isRoutable(_ address: String) -> Bool {
        !address.hasPrefix("127.") && address != "::1" && !address.lowercased().hasPrefix("fe80:")
    }
}

extension DialAttempt {
    fileprivate init(_ address: String, _ error: any Error) {
        let errno = (error as? IOError)?.errnoCode
        self.init(
            address: address, errno: errno,
            reason: errno.map { "\(SystemError($0))" } ?? "\(error)")
    }
}

extension TransportError {
    /// Creates the error for a connection that failed at the proxy.
    init(proxy server: ProxyServer, _ error: any Error) {
        switch error {
        case let failure as ProxyFailure where failure.code == .timedOut:
            self.init(.timedOut, in: .proxy, "\(server): \(failure.reason)")
            proxy = failure
        case let failure as ProxyFailure:
            self.init(.proxyFailed, in: .proxy, "\(server): \(failure.reason)")
            proxy = failure
        case let refusal as TrustRefusal:
            self.init(refused: refusal.verdict)
            phase = .proxy
            reason = "\(server): \(refusal.verdict)"
            proxy = ProxyFailure(.tls, "The proxy's certificate was refused.")
        case let failure as HandshakeFailure where failure.code == .timedOut:
            self.init(.timedOut, in: .proxy, "\(server): \(failure.reason)")
            proxy = ProxyFailure(.timedOut, failure.reason)
        case let failure as HandshakeFailure:
            self.init(.proxyFailed, in: .proxy, "\(server): \(failure.reason)", handshake: failure)
            proxy = ProxyFailure(.tls, failure.reason)
        default:
            self.init(.proxyFailed, in: .proxy, "\(server): The connection was closed: \(error).")
            proxy = ProxyFailure(.closed, "The connection was closed: \(error).")
        }
    }
}
