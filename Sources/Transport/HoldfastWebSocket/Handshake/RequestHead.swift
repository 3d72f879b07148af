package import HTTPTypes
import HoldfastTransport

/// The head of an HTTP/1 request, read strictly: what this parser does not take may still be HTTP, and is left to an
/// HTTP server.
package struct RequestHead: Hashable, Sendable {
    package var method: String
    /// What stands between method and version.
    package var target: String
    /// Whether the version is 1.1; otherwise it is 1.0.
    package var isHTTP11: Bool
    /// All fields, `Host` among them.
    package var fields: HTTPFields

    /// What the first bytes of a connection are.
    package enum Finding: Hashable, Sendable {
        /// The start of a head, perhaps: wait for more.
        case incomplete
        /// Nothing that could ask for an upgrade, or nothing that this parser takes.
        case other
        /// A complete head, and the number of its bytes.
        case head(RequestHead, size: Int)
    }

    /// Reads the first bytes of a connection as they come.
    package struct Reader: Sendable {
        private var scan = SectionScan.request(Self.limits)
        private var known = 0

        package init() {}

        /// Looks at all bytes that have come. Those that it was given before are not searched again. Anything but a `GET` is
        /// ``Finding/other`` by its first bytes.
        package mutating func examine(_ bytes: UnsafeRawBufferPointer) -> Finding {
            guard zip(bytes, "GET ".utf8).allSatisfy(==) else { return .other }
            do throws(TransportError) {
                let taken = try scan.take(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(known)))
                known += taken.count
                guard taken.isComplete else { return .incomplete }
                let head = bytes.prefix(known)
                guard let lineEnd = head.firstIndex(of: 0x0A),
                    case let fields = try HTTPFields(scanned: head[(lineEnd + 1)...]),
                    let request = RequestHead(requestLine: head[..<lineEnd].dropLast(), fields: fields)
                else { return .other }
                return .head(request, size: known)
            } catch {
                // The end of such a head may never come: the HTTP server answers it now.
                return .other
            }
        }

        /// The size of a head is for the caller to limit; `HTTPFields` holds no more fields.
        private static let limits: TransportLimits = {
            var limits = TransportLimits()
            limits.headBytes = .max
            limits.headerFields = .max
            return limits
        }()
    }

    private init?(requestLine: Slice<UnsafeRawBufferPointer>, fields: HTTPFields) {
        let parts = requestLine.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty, parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        switch String(decoding: parts[2], as: UTF8.self) {
        case "HTTP/1.1": self.isHTTP11 = true
        case "HTTP/1.0": self.isHTTP11 = false
        default: return nil
        }
        self.method = String(decoding: parts[0], as: UTF8.self)
        self.target = String(decoding: parts[1], as: UTF8.self)
        self.fields = fields
    }
}

/// The head of an HTTP/1.1 response, to be written.
package struct UpgradeResponse: Hashable, Sendable {
    package var status: HTTPResponse.Status
    package var fields: HTTPFields

    package init(status: HTTPResponse.Status, fields: HTTPFields) {
        self.status = status
        self.fields = fields
    }

    /// The head's bytes. A field's value holds no line break: its type sees to that.
    package var bytes: [UInt8] {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in fields {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }
}

extension WebSocketRejection {
    /// The whole answer, body included. The connection is closed behind it.
    package var bytes: [UInt8] {
        let body = Array((reason + "\n").utf8)
        var fields = headers
        fields[.contentType] = "text/plain; charset=utf-8"
        fields[.contentLength] = String(body.count)
        fields[.connection] = headers[.upgrade] == nil ? "close" : "close, Upgrade"
        return UpgradeResponse(status: statusWithPhrase, fields: fields).bytes + body
    }

    /// The status with the usual words, for those who read it in a capture.
    private var statusWithPhrase: HTTPResponse.Status {
        let known: [HTTPResponse.Status] = [
            .badRequest, .unauthorized, .forbidden, .notFound, .upgradeRequired, .tooManyRequests,
            .internalServerError, .serviceUnavailable,
        ]
        return known.first { $0.code == status } ?? HTTPResponse.Status(code: status)
    }
}
