import HoldfastWebSocket
import Testing

@Suite struct CloseFrameTests {
    private func violation(_ payload: [UInt8]) -> WebSocketError.Violation? {
        do throws(ReceivingFailure) {
            _ = try CloseFrame(payload: payload)
            return nil
        } catch {
            return error.rule
        }
    }

    @Test func allowsExactlyTheRegisteredCodes() {
        for value in UInt16.min ... .max {
            let isAllowed =
                (1000...1003).contains(value) || (1007...1014).contains(value) || (3000...4999).contains(value)
            let expected: WebSocketError.Violation? = isAllowed ? nil : .invalidCloseCode
            #expect(violation([UInt8(value >> 8), UInt8(value & 0xFF)]) == expected, "\(value)")
            #expect((WebSocketCloseCode(rawValue: value)?.isAllowedOnWire ?? false) == isAllowed)
        }
    }

    @Test func doesNotSendReservedCodes() {
        for code in [WebSocketCloseCode.noStatus, .abnormal, .tlsFailure] {
            #expect(CloseFrame(code: code, reason: "why").payload == [])
        }
        #expect(WebSocketCloseCode(rawValue: 1004) == nil)
        #expect(WebSocketCloseCode(rawValue: 2999) == nil)
        #expect(WebSocketCloseCode(rawValue: 4401)?.description == "4401")
    }

    @Test func refusesATruncatedCodeAndInvalidText() throws {
        #expect(violation([0x03]) == .truncatedCloseCode)
        #expect(violation([0x03, 0xE8, 0xC3]) == .invalidUTF8)
        #expect(violation([0x03, 0xE8, 0xED, 0xA0, 0x80]) == .invalidUTF8)
        let empty = try CloseFrame(payload: [])
        #expect(empty.code == .noStatus && empty.reason == "")
    }

    @Test func truncatesALongReasonAtACharacterBoundary() {
        let frame = CloseFrame(code: .normal, reason: String(repeating: "a", count: 120) + "👩‍👩‍👧‍👦")
        #expect(frame.reason == String(repeating: "a", count: 120))
        #expect(CloseFrame(code: .normal, reason: String(repeating: "a", count: 123)).payload.count == 125)
        #expect(CloseFrame(code: .normal, reason: String(repeating: "€", count: 100)).reason.utf8.count == 123)
    }
}
