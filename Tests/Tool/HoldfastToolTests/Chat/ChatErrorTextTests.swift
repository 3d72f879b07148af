import ChatCenter
import Testing

@testable import HoldfastTool

@Suite("Tool: chat, errors") struct ChatErrorTextTests {
    static let failures: [(TransportFailure, String)] = [
        (TransportFailure(.noConnectivity), "this machine has no network connection"),
        (TransportFailure(.unreachable), "the server cannot be reached"),
        (
            TransportFailure(.malformedAnswer),
            "the server's answer does not follow the chat protocol. Check the address and --api-version"
        ),
        (
            TransportFailure(.other, status: 401, refusal: ServerRefusal(code: "UNAUTHORIZED", details: "invalid")),
            "the server answered with status 401: the server's reason is \"UNAUTHORIZED\", \"invalid\". "
                + "Give an access token with --token-file FILE"
        ),
        (
            TransportFailure(.other, status: 500, refusal: ServerRefusal(code: "script")),
            "the server answered with status 500: the server's reason is \"script\". Try again later"
        ),
    ]

    @Test(arguments: 0..<5) func aFailureIsASentence(_ index: Int) {
        #expect(ChatErrorText.sentence(Self.failures[index].0) == Self.failures[index].1)
    }

    /// No sentence contains the name of a case.
    @Test(arguments: TransportFailure.Kind.allCases) func everyKindHasASentence(_ kind: TransportFailure.Kind) {
        let sentence = ChatErrorText.sentence(TransportFailure(kind))
        #expect(sentence.contains(" "))
        #expect(kind.rawValue.allSatisfy(\.isLowercase) || !sentence.contains(kind.rawValue))
    }

    @Test func closedSocketIsASentence() {
        let closed = DisconnectCause.closedByServer(code: 1_001, reason: "bye", retryAfterMilliseconds: nil)
        #expect(ChatErrorText.sentence(closed) == "the server closed the connection (code 1001): bye")
    }
}
