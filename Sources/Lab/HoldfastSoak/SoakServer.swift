import HoldfastTransportTestSupport
import Synchronization

/// The behavior of a soak's servers. The request's target determines it.
final class SoakServer: Sendable {
    private let heads = Mutex<[Int: Trigger]>([:])
    private let otherPort = Mutex<UInt16>(0)
    private let scheme: String
    private let otherHost: String
    private let swapsAnswers: Bool

    /// Creates a script. Redirects across origins lead to `scheme://otherHost:` and the port set by ``lead(to:)``.
    init(scheme: String, otherHost: String, swapsAnswers: Bool = false) {
        self.swapsAnswers = swapsAnswers
        self.scheme = scheme
        self.otherHost = otherHost
    }

    /// Sets the port to which redirects across origins lead.
    func lead(to port: UInt16) {
        otherPort.withLock { $0 = port }
    }

    /// Returns a trigger that fires when the head of this request arrives.
    func arrival(of number: Int) -> Trigger {
        let trigger = Trigger()
        heads.withLock { $0[number] = trigger }
        return trigger
    }

    /// Removes the trigger of this request.
    func forget(_ number: Int) {
        _ = heads.withLock { $0.removeValue(forKey: number) }
    }

    /// The settings for a server.
    func settings(tls: ServerTLS?, version: ScriptedVersion) -> ScriptedServer.Settings {
        var settings = ScriptedServer.Settings(tls: tls, version: version)
        settings.keepsRequests = false
        settings.onHead = { self.head($0) }
        settings.onRequest = { self.answer($0) }
        return settings
    }

    private func head(_ request: ScriptedRequest) -> [ScriptedAction] {
        guard let (kind, number, _) = SoakCase.parse(request.target) else { return [] }
        heads.withLock { $0[number] }?.fire()
        switch kind {
        case .expect: return [.text("HTTP/1.1 100 Continue\n\n")]
        case .early: return [.send(Self.sized(SoakContent.bytes(number, 10)))]
        default: return []
        }
    }

    private static func sized(_ body: [UInt8], status: String = "200 OK", fields: String = "") -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n\(fields)\r\n".utf8) + body
    }

    private static func chunks(_ body: [UInt8], number: Int) -> [UInt8] {
        var bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        var rest = body[...]
        while !rest.isEmpty {
            let part = rest.prefix(701)
            rest = rest.dropFirst(part.count)
            bytes += Array("\(String(part.count, radix: 16));n=\(number)\r\n".utf8) + part + [0x0D, 0x0A]
        }
        return bytes + Array("0\r\nX-Number: \(number)\r\n\r\n".utf8)
    }

    private func answer(_ request: ScriptedRequest) -> [ScriptedAction] {
        guard let (kind, number, size) = SoakCase.parse(request.target) else {
            return [.respond("unknown target", status: "404 Not Found")]
        }
        let isSwapped = swapsAnswers && number % 50 == 0
        let body = SoakContent.bytes(isSwapped ? number + 1 : number, size)
        switch kind {
        case .sized, .large: return [.send(Self.sized(body))]
        case .chunked: return [.send(Self.chunks(body, number: number))]
        case .untilClose: return [.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + body), .close]
        case .gzip:
            guard let coded = try? Compressed.gzip(body) else { return [.close] }
            return [.send(Self.sized(coded, fields: "Content-Encoding: gzip\r\n"))]
        case .head: return [.text("HTTP/1.1 200 OK\nContent-Length: \(size)\nX-Number: \(number)\n\n")]
        case .noContent: return [.text("HTTP/1.1 204 No Content\nX-Number: \(number)\n\n")]
        case .notModified: return [.text("HTTP/1.1 304 Not Modified\nX-Number: \(number)\nContent-Length: 9\n\n")]
        case .informational:
            return [.text("HTTP/1.1 102 Wait\n\nHTTP/1.1 103 Hints\nLink: </>\n\n"), .send(Self.sized(body))]
        case .post, .upload, .expect: return [.send(Self.sized(SoakContent.receipt(number, for: request.body)))]
        case .early: return []
        case .closing: return [.send(Self.sized(body, fields: "Connection: close\r\n")), .close]
        case .forgetful: return [.send(Self.sized(body)), .close]
        case .redirect:
            let location = "Location: /sized/\(number)/\(size)\r\n"
            return [.send(Self.sized(body, status: "302 Found", fields: location))]
        case .crossRedirect:
            let target = "\(scheme)://\(otherHost):\(otherPort.withLock(\.self))/sized/\(number)/\(size)"
            return [.send(Self.sized([], status: "307 Temporary Redirect", fields: "Location: \(target)\r\n"))]
        case .unanswered: return [.close]
        case .cut: return [.text("HTTP/1.1 200 OK\nContent-Length: \(size + 1)\n\n"), .send(body), .cut]
        case .reset: return [.text("HTTP/1.1 200 OK\nContent-Length: \(size + 1)\n\n"), .send(body), .reset]
        case .ambiguous: return [.text("HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\nxx")]
        case .trailing: return [.send(Self.sized(body) + Array("HTTP/1.1 200 OK\r\nX-Stray: ".utf8))]
        case .silent: return []
        }
    }
}

/// Bytes generated from a request's number, so that every request has different bytes.
enum SoakContent {
    /// Returns a body of this size.
    static func bytes(_ number: Int, _ size: Int) -> [UInt8] {
        let text = Array("<\(number):\(number &* 7919 % 104_729)>".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + text.count)
        while bytes.count < size { bytes += text }
        return Array(bytes.prefix(size))
    }

    /// The server's description of a received body.
    static func receipt(_ number: Int, for body: [UInt8]) -> [UInt8] {
        Array("\(number) has \(body.count) bytes, \(body == bytes(number, body.count) ? "right" : "wrong")".utf8)
    }
}
