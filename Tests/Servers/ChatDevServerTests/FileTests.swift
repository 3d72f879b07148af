import ChatWire
import HTTPTypes
import HoldfastTransport
import Synchronization
import Testing

@testable import ChatDevServer

@Suite("Files", .timeLimit(.minutes(1)))
struct FileTests {
    private static func bytes(_ count: Int) -> [UInt8] {
        // The bytes include CR and LF, so that the search for the form's delimiter is tested.
        let pattern = (0..<1_021).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ ($0 >> 8)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + pattern.count)
        while bytes.count < count { bytes += pattern }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static func fileID(_ response: CollectedResponse) throws -> String {
        try UploadAnswer(parsing: response.body).result
    }

    @Test("A downloaded file equals the uploaded one", arguments: [0, 1, 70_000, 1_000_000])
    func roundTrip(size: Int) async throws {
        try await ServerUnderTest.with { subject in
            let bytes = Self.bytes(size)
            let answer = try UploadAnswer(
                parsing: try await subject.upload(bytes, name: "Größe \"1\".png".replacing("\"", with: "\\\"")).body)
            #expect(answer.name == "Größe \"1\".png")
            #expect(answer.size == Int64(size))
            #expect(answer.type == "image/png")

            let file = try await subject.get("/files/\(answer.result)")
            #expect(file.status == 200)
            #expect(file.body == bytes)
            #expect(file.response.headerFields[.contentType] == "image/png")
            #expect(file.response.headerFields[.xContentTypeOptions] == "nosniff")
            let disposition = try #require(file.response.headerFields[.contentDisposition])
            #expect(disposition == "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.png")
        }
    }

    @Test("Ranges are served within the file's size")
    func ranges() async throws {
        try await ServerUnderTest.with { subject in
            let bytes = Self.bytes(1_000)
            let path = "/files/" + (try Self.fileID(try await subject.upload(bytes, name: "a.png")))
            func get(_ range: String, ifRange: String? = nil) async throws -> CollectedResponse {
                var headers: HTTPFields = [.range: range]
                headers[.ifRange] = ifRange
                return try await subject.request(.get, path, headers: headers)
            }
            for (range, expected) in [
                ("bytes=0-0", 0..<1), ("bytes=100-199", 100..<200), ("bytes=900-", 900..<1_000),
                ("bytes=-10", 990..<1_000), ("bytes=990-5000", 990..<1_000), ("bytes=-5000", 0..<1_000),
            ] {
                let part = try await get(range)
                #expect(part.status == 206, "\(range)")
                #expect(part.body == Array(bytes[expected]), "\(range)")
                let told = "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/1000"
                #expect(part.response.headerFields[.contentRange] == told)
            }
            for range in ["bytes=1000-", "bytes=-0"] {
                let none = try await get(range)
                #expect(none.status == 416, "\(range)")
                #expect(none.response.headerFields[.contentRange] == "bytes */1000")
            }
            // Malformed ranges, other units and several ranges return the whole file.
            for range in ["bytes=5-2", "bytes=a-b", "items=0-1", "bytes=0-1,5-6", "bytes=--1", "bytes=+1-2"] {
                let whole = try await get(range)
                #expect(whole.status == 200, "\(range)")
                #expect(whole.body == bytes)
            }
            let tag = try #require(try await subject.get(path).response.headerFields[.eTag])
            #expect(try await get("bytes=0-9", ifRange: tag).status == 206)
            #expect(try await get("bytes=0-9", ifRange: "\"other\"").status == 200)

            let head = try await subject.request(.head, path)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.response.headerFields[.contentLength] == "1000")
        }
    }

    @Test("A file above the limit is refused, with or without a length, and leaves nothing behind")
    func tooLarge() async throws {
        let directory = try TemporaryDirectory()
        try await ServerUnderTest.with {
            $0.configurationPatch = #"{"attachmentSettings":{"content":{"content":{"maxSize":1}}}}"#
            $0.filesDirectory = directory.path
        } _: { subject in
            let form = ServerUnderTest.form(Self.bytes((1 << 20) + 1), name: "a.png")
            let headers: HTTPFields = [
                .contentType: "multipart/form-data; boundary=\(ServerUnderTest.boundary)"
            ]
            let stream = HTTPBody.stream(length: nil) { writer in
                for start in stride(from: 0, to: form.count, by: 65_536) {
                    try await writer.write(Array(form[start..<min(start + 65_536, form.count)]))
                }
            }
            let bodies: [HTTPBody] = [.bytes(form), stream]
            for body in bodies {
                let response = try await subject.request(.put, "/files", headers: headers, body: body)
                #expect(response.status == 413)
                #expect(response.failure == .restrictedFileSize)
            }
            #expect(directory.contents.isEmpty)
            #expect(try await subject.upload(Self.bytes(1 << 20), name: "a.png").status == 200)
            #expect(directory.contents.count == 1)
        }
    }

    @Test("A huge upload is refused by its announced length, and is not read to its end")
    func huge() async throws {
        try await ServerUnderTest.with {
            $0.configurationPatch = #"{"attachmentSettings":{"content":{"content":{"maxSize":1}}}}"#
        } _: { subject in
            let sent = Mutex(0)
            let size = 4 << 30
            let body = HTTPBody.stream(length: Int64(size)) { writer in
                let chunk = [UInt8](repeating: 0, count: 1 << 20)
                while sent.withLock({ $0 }) < size {
                    try await writer.write(chunk)
                    sent.withLock { $0 += chunk.count }
                }
            }
            // The client may read the answer in time; the connection ends in any case.
            let response = try? await subject.request(
                .put, "/files", headers: [.contentType: "multipart/form-data; boundary=b"], body: body)
            #expect(response == nil || response?.failure == .restrictedFileSize)
            #expect(sent.withLock { $0 } < size / 2)
            let next = try await subject.get("/api/chat/config")
            #expect(next.status == 200)
        }
    }

    @Test("Other file types are refused", arguments: ["a.exe", "png", "a.png.exe", ""])
    func restrictedType(name: String) async throws {
        try await ServerUnderTest.with { subject in
            let response = try await subject.upload([1, 2, 3], name: name)
            #expect(response.status == 415)
            #expect(response.failure == .restrictedFileType)
        }
    }

    @Test("Only the owner can access the files, also in an existing folder", arguments: [nil, 0o755, 0o1777])
    func modes(folder: Int?) async throws {
        let directory = try TemporaryDirectory()
        if let folder {
            _ = try directory.write([], to: "mark")
            try directory.setMode(folder, of: ".")
        }
        let name = folder == nil ? "new" : "."
        let path = directory.file(name)
        try await ServerUnderTest.with {
            $0.filesDirectory = path
        } _: { subject in
            let id = try Self.fileID(try await subject.upload(Self.bytes(10), name: "a.png"))
            // A folder that all users share keeps its permissions.
            #expect(try directory.mode(of: name) == (folder == 0o1777 ? 0o1777 : 0o700))
            #expect(try directory.mode(of: name + "/" + id) == 0o600)
        }
    }

    @Test("Space is reserved before it is used, and released after a failure")
    func space() async throws {
        let space = FileSpace(limit: 100, used: 40)
        try space.take(60)
        #expect(space.isFull)
        #expect(throws: FileSpace.Full.self) { try space.take(1) }
        space.giveBack(10)
        #expect(throws: FileSpace.Full.self) { try space.take(.max) }
        try space.take(10)
        try await ServerUnderTest.with {
            $0.limits.storedBytes = 100
        } _: { subject in
            let statuses = [
                try await subject.upload(Self.bytes(101), name: "a.png").status,
                try await subject.upload(Self.bytes(100), name: "a.png").status,
            ]
            #expect(statuses == [507, 200])
        }
    }

    @Test("A full store refuses files")
    func full() async throws {
        try await ServerUnderTest.with {
            $0.limits.storedBytes = 100
        } _: { subject in
            #expect(try await subject.upload(Self.bytes(100), name: "a.png").status == 200)
            let response = try await subject.upload([1], name: "b.png")
            #expect(response.status == 507)
            #expect(response.failure?.error == "file.store-full")
        }
    }

    @Test(
        "Malformed forms are refused",
        arguments: [
            ("text/plain", "x"),
            ("multipart/form-data", "x"),
            ("multipart/form-data; boundary=", "x"),
            ("multipart/form-data; boundary=b", ""),
            ("multipart/form-data; boundary=b", "--b\r\n"),
            ("multipart/form-data; boundary=b", "--b\r\n\r\nno headers\r\n--b--"),
            ("multipart/form-data; boundary=b", "--b\r\nnonsense\r\n\r\nx\r\n--b--"),
            (
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\n\r\ncut short"
            ),
            ("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nx\r\n--b--"),
            ("multipart/form-data; boundary=b", "--b--"),
        ])
    func badForms(contentType: String, body: String) async throws {
        let directory = try TemporaryDirectory()
        try await ServerUnderTest.with {
            $0.filesDirectory = directory.path
        } _: { subject in
            let response = try await subject.request(
                .put, "/files", headers: [.contentType: contentType], body: .bytes(Array(body.utf8)))
            #expect(response.status == 400)
            #expect(["form.malformed", "form.no-file"].contains(response.failure?.error))
            #expect(directory.contents.isEmpty)
            #expect(try await subject.get("/api/chat/config").status == 200)
        }
    }

    @Test("An invalid content type is not sent back")
    func contentType() async throws {
        try await ServerUnderTest.with { subject in
            let answer = try UploadAnswer(
                parsing: try await subject.upload([1], name: "a.png", type: "text/html<script>; x").body)
            #expect(answer.type == "application/octet-stream")
        }
    }

    @Test("A file without contents is not found")
    func bytesGone() async throws {
        let directory = try TemporaryDirectory()
        try await ServerUnderTest.with {
            $0.filesDirectory = directory.file("made by the server")
        } _: { subject in
            let id = try Self.fileID(try await subject.upload([1, 2], name: "a.png"))
            #expect(try await subject.get("/files/\(id)").status == 200)
            try directory.remove("made by the server/\(id)")
            #expect(try await subject.get("/files/\(id)").failure == .fileNotFound)
        }
    }
}
