import HTTPTypes
import Testing

@testable import HoldfastTool

/// Header fields on the command line. Errors do not contain a field's value.
@Suite("Tool: ws, header fields") struct HeaderArgumentTests {
    @Test(arguments: [
        ("Authorization: Bearer a:b", "Authorization", "Bearer a:b"), ("x-y:z", "x-y", "z"), ("Origin:", "Origin", ""),
        ("A: \t b", "A", "b"), ("A: b c \t ", "A", "b c"), ("A: \t ", "A", ""),
    ])
    func fields(argument: String, name: String, value: String) throws {
        let fields = try HeaderArgument.fields(argument)
        #expect(fields.map(\.name.rawName) == [name] && fields.map(\.value) == [value])
    }

    @Test(arguments: ["hunter2", "hun ter: hunter2", ": hunter2", "A: hunter2\r\nB: c", "A: hunter2\u{0}"])
    func mistakes(argument: String) {
        let error = #expect(throws: ToolError.self) { try HeaderArgument.fields(argument) }
        #expect(error?.status == .usage)
        #expect(error?.sentence.contains("hunter2") == false, "\(error?.sentence ?? "")")
    }

    @Test func files() throws {
        let folder = try TemporaryFolder()
        let good = try folder.file("good", "# a comment\nAuthorization: Bearer x\r\n\nOrigin: https://a.example\n")
        #expect(try HeaderArgument.fields("@" + good).map(\.value) == ["Bearer x", "https://a.example"])
        let bad = try folder.file("bad", "A: b\nhunter2\n")
        let error = #expect(throws: ToolError.self) { try HeaderArgument.fields("@" + bad) }
        #expect(error?.sentence.hasSuffix("bad:2: a header field must have the form 'Name: value'") == true)
        #expect(error?.status == .unusableInput)
        let broken = try folder.file("broken", [0x41, 0xFF])
        #expect(throws: ToolError.self) { try HeaderArgument.fields("@" + broken) }
        #expect(throws: ToolError.self) { try HeaderArgument.fields("@" + folder.path + "/missing") }
    }
}
