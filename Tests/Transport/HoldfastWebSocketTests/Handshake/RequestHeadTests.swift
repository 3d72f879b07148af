import HoldfastWebSocket
import HTTPTypes
import Testing

@Suite struct RequestHeadTests {
    private func examine(_ text: String, known: Int = 0) -> RequestHead.Finding {
        var reader = RequestHead.Reader()
        return Array(text.utf8).withUnsafeBytes { bytes in
            if known > 0 { _ = reader.examine(UnsafeRawBufferPointer(rebasing: bytes[..<known])) }
            return reader.examine(bytes)
        }
    }

    private let good = "GET /chat?x=1 HTTP/1.1\r\nHost: localhost:80\r\nX-Blank:\t  a b \t\r\nX-Empty:\r\n\r\n"

    @Test func readsAHeadAndItsSize() throws {
        guard case .head(let head, let size) = examine(good + "\u{1}more") else {
            Issue.record("No head was found.")
            return
        }
        #expect(size == good.utf8.count)
        #expect(head.method == "GET" && head.target == "/chat?x=1" && head.isHTTP11)
        #expect(head.fields.map(\.name.rawName) == ["Host", "X-Blank", "X-Empty"])
        #expect(head.fields.map(\.value) == ["localhost:80", "a b", ""])
    }

    @Test func everyPrefixIsIncomplete() {
        let bytes = Array(good.utf8)
        for count in 0..<bytes.count {
            let prefix = String(decoding: bytes[..<count], as: UTF8.self)
            for known in [0, count / 2, max(0, count - 1), count] {
                #expect(examine(prefix, known: known) == .incomplete)
            }
        }
        for known in 0..<bytes.count {
            guard case .head = examine(good, known: known) else {
                Issue.record("The head was not found after \(known) bytes.")
                return
            }
        }
    }

    @Test(arguments: [
        "POST / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n", "\u{16}\u{3}\u{1}", "GEX", "GET  / HTTP/1.1\r\n\r\n",
        "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1 \r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\u{0}c\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\nB: c\r\n\r\n", "GET / HTTP/1.1\r\n: b\r\n\r\n", "GET /\u{7f} HTTP/1.1\r\n\r\n",
        // CR LF CR LF may never arrive in these heads, so the reader does not wait for it.
        "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nA: b\n", "GET / HTTP/1.1\r\nA: b\rc",
    ])
    func rejectsUnusualHeadsImmediately(text: String) {
        #expect(examine(text) == .other)
    }
}
