import ChatCenter
import ChatCenterCore
import Testing

@testable import ChatCenterUI

/// Tests the descriptions of failures.
@Suite struct ChatFailureTextTests {
    let texts = ChatUITexts.keys()

    @Test func eachTransportFailureHasADescription() {
        for kind in TransportFailure.Kind.allCases {
            #expect(!texts.failure(TransportFailure(kind)).isEmpty, "\(kind)")
        }
        let trust = TransportFailure(.trust, trust: TrustFailureSummary(code: "pin", reason: "The key is not pinned."))
        #expect(texts.failure(trust) == "The key is not pinned.")
        let refused = TransportFailure(.refused, status: 403, refusal: ServerRefusal(code: "x", details: "Too\nbig"))
        #expect(texts.failure(refused) == "errors.code_from_400_to_500_title: Too big")
        #expect(texts.failure(TransportFailure(.refused, status: 500)) == "errors.code_from_400_to_500_title: 500")
        #expect(texts.failure(TransportFailure(.timedOut)) == "errors.connection_timeout")
    }

    @Test func failedMessagesNameTheReason() {
        #expect(
            texts.failure(SendFailure.refused(ServerRefusal(code: "bad"))) == "message.status.validation_error: bad")
        #expect(texts.failure(SendFailure.timedOut) == "errors.connection_timeout")
        let size = SendFailure.upload(TransportFailure(.refused, refusal: ServerRefusal(code: "file.restricted.size")))
        #expect(texts.failure(size) == "errors.file_too_large")
        let type = SendFailure.upload(TransportFailure(.refused, refusal: ServerRefusal(code: "file.restricted.type")))
        #expect(texts.failure(type) == "errors.disallowed_file_loading")
        #expect(texts.failure(SendFailure.upload(TransportFailure(.timedOut))) == "errors.timeout_during_load_file")
        #expect(texts.failure(SendFailure.upload(TransportFailure(.other))) == "errors.during_load_file")
    }

    @Test func lostConnectionsNameTheCause() {
        #expect(texts.cause(.linkDead) == "errors.connection_timeout")
        #expect(texts.cause(.handshakeTimeout(.upgrade)) == "errors.connection_timeout")
        #expect(texts.cause(.refused(.upgrade, ServerRefusal(code: "no"))) == "errors.code_from_400_to_500_title: no")
        #expect(!texts.cause(.closedByServer(code: 1000, reason: "x", retryAfterMilliseconds: nil)).isEmpty)
    }
}
