import ChatCenterCore
import ChatWire
import Foundation
import HTTPTypes
import HoldfastTrust
import HoldfastWebSocket
import Testing

@testable import ChatCenter
@testable import HoldfastTransport

/// The conversion of errors for the core, and access to the original errors.
@Suite struct TransportFailureTests {
    let errors = ErrorTable()

    private func failure(_ error: any Error) -> TransportFailure {
        TransportFailure(error, keptIn: errors, now: 0)
    }

    @Test("a refused server keeps its verdict")
    func refused() throws {
        let finding = TrustFinding(.pinMismatch, "no key matches")
        let verdict = TrustVerdict(
            decision: .block, finding: finding, subject: nil, policyName: "p", time: Timestamp(secondsSince1970: 0))
        let failure = failure(TransportError(refused: verdict))
        #expect(failure.kind == .trust)
        #expect(failure.trust == TrustFailureSummary(code: "pinMismatch", reason: "no key matches"))
        let error = ChatNetworkError(failure, errors: errors)
        #expect(error.verdict == verdict)
        #expect(error.description.contains("no key matches"))
    }

    @Test(
        "errors of the transport",
        arguments: [
            (.noConnectivity, .noConnectivity), (.unresolvedHost, .unreachable), (.connectionRefused, .unreachable),
            (.connectionClosed, .unreachable), (.timedOut, .timedOut), (.tlsHandshakeFailed, .tlsHandshake),
            (.malformedResponse, .malformedAnswer), (.responseTooLarge, .malformedAnswer), (.bodyFailed, .file),
            (.cancelled, .cancelled), (.shutDown, .cancelled), (.invalidURL, .other),
        ] as [(TransportError.Code, TransportFailure.Kind)])
    func transport(code: TransportError.Code, kind: TransportFailure.Kind) {
        let failure = failure(TransportError(code, in: .connecting, "x"))
        #expect(failure.kind == kind)
        #expect((errors.error(failure.errorID) as? TransportError)?.code == code)
    }

    @Test("a refused upgrade reports the server's message and the requested wait")
    func upgrade() {
        let refusal = WebSocketRefusal(
            status: 503, headerFields: [.retryAfter: "7"],
            body: Array(#"{"error":"BUSY","errorDetails":"later"}"#.utf8))
        let failure = failure(WebSocketError(refusal: refusal))
        #expect(failure.kind == .upgradeRefused)
        #expect(failure.status == 503)
        #expect(failure.refusal == ServerRefusal(code: "BUSY", details: "later"))
        #expect(failure.retryAfterMilliseconds == 7000)
    }

    @Test(
        "errors of the WebSocket",
        arguments: [
            (.invalidUpgrade, .malformedAnswer), (.connectionLost, .unreachable), (.closed, .unreachable),
            (.keepAliveTimedOut, .timedOut), (.invalidOptions, .other),
        ] as [(WebSocketError.Code, TransportFailure.Kind)])
    func webSocket(code: WebSocketError.Code, kind: TransportFailure.Kind) {
        #expect(failure(WebSocketError(code, "x")).kind == kind)
    }

    @Test("other errors")
    func others() {
        #expect(failure(CancellationError()).kind == .cancelled)
        #expect(failure(FileTransferError(.unreadable, "x")).kind == .file)
        #expect(failure(CocoaError(.fileNoSuchFile)).kind == .other)
        let server = failure(ChatServerError(status: 413, refusal: ServerRefusal(code: "file.restricted.size")))
        #expect(server.status == 413)
        #expect(server.refusal?.code == "file.restricted.size")
    }

    @Test("the table keeps the newest errors, up to its limit")
    func table() {
        let ids = (0..<200).map { errors.keep(FileTransferError(.unreadable, "\($0)")) }
        #expect(Set(ids).count == 200)
        #expect(!ids.contains(0))
        #expect(errors.error(ids[0]) == nil)
        #expect((errors.error(ids[199]) as? FileTransferError)?.reason == "199")
        #expect(ids.filter { errors.error($0) != nil }.count == ErrorTable.capacity)
    }

    @Test("progress is reported when it is new")
    func progress() {
        let told = Noted<Int64>()
        let filter = ProgressFilter(total: 1_000_000) { told.append($0) }
        for count in stride(from: Int64(0), through: 1_000_000, by: 1000) { filter.report(count) }
        filter.report(5)
        #expect(told.values.last == 1_000_000)
        #expect(told.values.count < 20)
        #expect(told.values == told.values.sorted())
    }
}
