package import HTTPTypes
import HoldfastTransport

/// The head of an HTTP/1 request, parsed strictly. Requests that this parser rejects are left to an HTTP server.
package struct RequestHead: Hashable, Sendable {
    package var method: String
    /// The text between the method and the version.
    package var target: String
    /// Whether the version is 1.1; otherwise it is 1.0.
    package var isHTTP11: Bool
    /// All fields, including `Host`.
    package var fields: HTTPFields

    /// The classification of a connection's first bytes.
    package enum Finding: Hashable, Sendable {
        /// The bytes may be the start of a head; wait for more.
        case incomplete
        /// The bytes cannot be an upgrade request, or this parser rejects them.
        case other
        /// A complete head, and its size in bytes.
        case head(RequestHead, size: Int)
    }

    /// Examines the first bytes of a connection as they arrive.
    package struct Reader: Sendable {
        private var scan = SectionScan.request(Self.limits)
        private var known = 0

        package init() {}

        /// Classifies all bytes that have arrived; earlier bytes are not searched again. Any method other than `GET` is
        /// ``Finding/other`` from its first bytes on.
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
                // Such a head may never be complete, so the HTTP server answers it now.
                return .other
            }
        }

        /// The caller limits the size of a head, and `HTTPFields` limits the number of fields.
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

/// The head of an HTTP/1.1 response to send.
package struct UpgradeResponse: Hashable, Sendable {
    package var status: HTTPResponse.Status
    package var fields: HTTPFields

    package init(status: HTTPResponse.Status, fields: HTTPFields) {
        self.status = status
        self.fields = fields
    }

    /// The bytes of the head. The field type guarantees that values contain no line breaks.
    package var bytes: [UInt8] {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in fields {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }
}

extension WebSocketRejection {
    /// The whole response, including its body. The connection is closed after it.
    package var bytes: [UInt8] {
        let body = Array((reason + "\n").utf8)
        var fields = headers
        fields[.contentType] = "text/plain; charset=utf-8"
        fields[.contentLength] = String(body.count)
        fields[.connection] = headers[.upgrade] == nil ? "close" : "close, Upgrade"
        return UpgradeResponse(status: statusWithPhrase, fields: fields).bytes + body
    }

    /// The status with its usual phrase, for readers of a packet capture.
    private var statusWithPhrase: HTTPResponse.Status {
        let known: [HTTPResponse.Status] = [
            .badRequest, .unauthorized, .forbidden, .notFound, .upgradeRequired, .tooManyRequests,
            .internalServerError, .serviceUnavailable,
        ]
        return known.first { $0.code == status } ?? HTTPResponse.Status(code: status)
    }
}
