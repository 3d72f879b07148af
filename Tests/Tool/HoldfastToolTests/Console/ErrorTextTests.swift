import Foundation
import HoldfastTransport
import NIOCore
import Testing

@testable import HoldfastTool

@Suite("Tool: error texts")
struct ErrorTextTests {
    @Test(arguments: [
        (
            "The connection failed: read(descriptor:pointer:size:): Connection reset by peer) (errno: 104).",
            "The connection failed: Connection reset by peer."
        ),
        (
            "Connecting to localhost:1 failed: [IPv4]localhost/127.0.0.1:1: Connection refused.",
            "Connecting to localhost:1 failed: 127.0.0.1:1: Connection refused."
        ),
        ("[IPv6]localhost/::1:443: Connection refused", "[::1]:443: Connection refused"),
        ("a sentence (with brackets): stays", "a sentence (with brackets): stays"),
    ]) func sentencesContainNoFunctionNames(_ text: String, _ plain: String) {
        #expect(ErrorText.plain(text) == plain)
        #expect(ToolError(text).sentence == plain)
    }

    @Test func systemErrorsUseSystemText() {
        #expect(
            ErrorText.sentence(IOError(errnoCode: ECONNRESET, reason: "read(descriptor:)"))
                == "Connection reset by peer")
        #expect(ErrorText.sentence(POSIXError(.ENOTDIR)) == "Not a directory")
        let missing = "/nonexistent-\(UUID().uuidString)"
        #expect(throws: (any Error).self) { try Data(contentsOf: URL(fileURLWithPath: missing)) }
        do {
            _ = try Data(contentsOf: URL(fileURLWithPath: missing))
        } catch {
            #expect(ErrorText.sentence(error) == "No such file or directory")
        }
        do {
            try FileManager.default.createDirectory(atPath: "/dev/null/x", withIntermediateDirectories: true)
        } catch {
            #expect(ErrorText.sentence(error) == "Not a directory")
        }
    }
}
