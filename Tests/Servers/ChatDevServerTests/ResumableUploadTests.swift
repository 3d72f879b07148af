import ChatWire
import HTTPTypes
import HoldfastTransport
import Testing

@testable import ChatDevServer

/// The resumable uploads of the protocol page, on the server's side.
@Suite("Resumable uploads", .timeLimit(.minutes(1)))
struct ResumableUploadTests {
    private static func fields(_ pairs: KeyValuePairs<String, String?>) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs {
            if let name = HTTPField.Name(name), let value { fields[name] = value }
        }
        return fields
    }

    private static func creation(
        _ name: String = "a.png", version: String = "6", complete: String? = "?0", length: String? = nil,
        as clientID: String = "alice"
    ) -> HTTPFields {
        fields([
            "Upload-Draft-Interop-Version": version, "Upload-Complete": complete, "Upload-Length": length,
            "Content-Type": "image/png", "Content-Disposition": "attachment; filename*=UTF-8''\(name)",
            "X-Client-Id": clientID,
        ])
    }

    private static func part(
        at offset: String?, complete: String? = "?0", type: String = "application/partial-upload",
        as clientID: String = "alice"
    ) -> HTTPFields {
        fields([
            "Upload-Draft-Interop-Version": "6", "Upload-Offset": offset, "Upload-Complete": complete,
            "Content-Type": type, "X-Client-Id": clientID,
        ])
    }

    private static func field(_ name: String, _ response: CollectedResponse) -> String? {
        HTTPField.Name(name).flatMap { response.response.headerFields[$0] }
    }

    /// Begins an upload with these bytes. Returns the URL for the next part.
    private func begin(_ subject: ServerUnderTest, _ bytes: [UInt8], _ headers: HTTPFields = creation()) async throws
        -> String
    {
        let response = try await subject.request(.put, "/files", headers: headers, body: .bytes(bytes))
        #expect(response.status == 201)
        #expect(Self.field("Upload-Offset", response) == String(bytes.count))
        #expect(Self.field("Upload-Complete", response) == "?0")
        return try #require(Self.field("Location", response))
    }

    @Test(
        "Holdfast's own client uploads a file in parts, and gets the answer of a plain upload",
        arguments: [0, 10, 2_500_000])
    func ownClient(size: Int) async throws {
        let directory = try TemporaryDirectory()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try directory.write(bytes, to: "source")
        try await ServerUnderTest.with { subject in
            let request = HTTPRequest(
                method: .put, scheme: "https", authority: "\(subject.address.host):\(subject.address.port)",
                path: "/files",
                headerFields: [
                    .contentType: "image/png",
                    .contentDisposition: "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe.png",
                ])
            let result = try await subject.http.uploadResumably(request, from: path)
            #expect(result.wasResumable)
            let answer = try UploadAnswer(parsing: try #require(result.answer).body)
            #expect(answer.name == "Größe.png")
            #expect(answer.size == Int64(size))
            #expect(answer.type == "image/png")
            #expect(try await subject.get("/files/\(answer.result)").body == bytes)
        }
    }

    @Test("An upload resumes at its offset, reports it, and repeats its answer")
    func parts() async throws {
        let directory = try TemporaryDirectory()
        try await ServerUnderTest.with {
            $0.filesDirectory = directory.path
        } _: { subject in
            let place = try await begin(subject, [1, 2, 3], Self.creation(length: "6"))
            let head = try await subject.request(.head, place, headers: Self.part(at: nil, complete: nil))
            #expect(head.status == 204)
            #expect(Self.field("Upload-Offset", head) == "3")
            #expect(Self.field("Cache-Control", head) == "no-store")
            #expect(Self.field("Upload-Limit", head)?.contains("max-append-size=1048576") == true)

            for offset in ["0", "2", "4"] {
                let wrong = try await subject.request(
                    .patch, place, headers: Self.part(at: offset), body: .bytes([9]))
                #expect(wrong.status == 409, "\(offset)")
                #expect(Self.field("Upload-Offset", wrong) == "3")
            }
            let more = try await subject.request(.patch, place, headers: Self.part(at: "3"), body: .bytes([4]))
            #expect(more.status == 204)
            #expect(Self.field("Upload-Offset", more) == "4")
            #expect(try directory.mode(of: try #require(directory.contents.first)) == 0o600)

            let early = try await subject.request(
                .patch, place, headers: Self.part(at: "4", complete: "?1"), body: .bytes([5]))
            #expect(early.failure?.error == "upload.length")
            let last = try await subject.request(
                .patch, place, headers: Self.part(at: "5", complete: "?1"), body: .bytes([6]))
            #expect(last.status == 200)
            let answer = try UploadAnswer(parsing: last.body)
            #expect(try await subject.get("/files/\(answer.result)").body == [1, 2, 3, 4, 5, 6])

            // The answer may have been lost: the client learns that nothing is missing, and gets the answer again.
            let whole = try await subject.request(.head, place, headers: Self.part(at: nil, complete: nil))
            #expect(Self.field("Upload-Offset", whole) == "6")
            let again = try await subject.request(
                .patch, place, headers: Self.part(at: "6", complete: "?1"), body: .bytes([]))
            #expect(again.body == last.body)
            #expect(directory.contents.count == 1)
        }
    }

    @Test("Only the owner may continue, inspect or delete an upload")
    func strangers() async throws {
        let directory = try TemporaryDirectory()
        try await ServerUnderTest.with {
            $0.filesDirectory = directory.path
            $0.limits.storedBytes = 100
        } _: { subject in
            let place = try await begin(subject, [UInt8](repeating: 1, count: 90))
            for (method, headers) in [
                (HTTPRequest.Method.head, Self.part(at: nil, complete: nil, as: "mallory")),
                (.patch, Self.part(at: "90", as: "mallory")), (.delete, Self.part(at: nil, as: "mallory")),
            ] {
                #expect(try await subject.request(method, place, headers: headers).status == 404)
            }
            #expect(try await subject.upload([UInt8](repeating: 2, count: 20), name: "b.png").status == 507)
            #expect(try await subject.request(.delete, place, headers: Self.part(at: nil)).status == 204)
            #expect(directory.contents.isEmpty)
            #expect(try await subject.upload([UInt8](repeating: 2, count: 100), name: "b.png").status == 200)
            #expect(try await subject.request(.delete, place, headers: Self.part(at: nil)).status == 404)
        }
    }

    @Test("An invalid upload is refused, and leaves nothing behind")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        try await ServerUnderTest.with {
            $0.configurationPatch = #"{"attachmentSettings":{"content":{"content":{"maxSize":1}}}}"#
            $0.filesDirectory = directory.path
        } _: { subject in
            for (headers, status) in [
                (Self.creation(version: "7"), 400), (Self.creation(complete: nil), 400),
                (Self.creation(complete: "yes"), 400), (Self.creation(length: "-1"), 400),
                (Self.creation(length: "9999999999999999"), 400), (Self.creation(length: "1048577"), 413),
                (Self.creation("a.exe"), 415),
            ] {
                let response = try await subject.request(.put, "/files", headers: headers, body: .bytes([]))
                #expect(response.status == status, "\(headers)")
                #expect(response.failure != nil)
            }
            #expect(directory.contents.isEmpty)

            let place = try await begin(subject, [1], Self.creation(length: "3"))
            for (headers, count, status) in [
                (Self.part(at: "1", type: "image/png"), 1, 415), (Self.part(at: nil), 1, 400),
                (Self.part(at: "x"), 1, 400), (Self.part(at: "1", complete: nil), 1, 400),
                (Self.part(at: "1"), 3, 400),
            ] {
                let body = HTTPBody.bytes([UInt8](repeating: 7, count: count))
                let response = try await subject.request(.patch, place, headers: headers, body: body)
                #expect(response.status == status, "\(headers)")
            }
            #expect(try await subject.request(.patch, "/files/uploads/x", headers: Self.part(at: "0")).status == 404)
            // Without a length, the limit for a file applies.
            let endless = try await begin(subject, [UInt8](repeating: 1, count: 1 << 20))
            let beyond = try await subject.request(
                .patch, endless, headers: Self.part(at: "1048576"), body: .bytes([1]))
            #expect(beyond.failure == .restrictedFileSize)
        }
    }

    @Test("The oldest upload is removed when there are too many")
    func tooMany() async throws {
        let directory = try TemporaryDirectory()
        try await ServerUnderTest.with {
            $0.filesDirectory = directory.path
        } _: { subject in
            var places: [String] = []
            for _ in 0...UnfinishedUploads.most { places.append(try await begin(subject, [1])) }
            let asked = Self.part(at: nil, complete: nil)
            #expect(try await subject.request(.head, places[0], headers: asked).status == 404)
            #expect(try await subject.request(.head, places[1], headers: asked).status == 204)
            #expect(directory.contents.count == UnfinishedUploads.most)
        }
    }

    @Test("Only unfinished uploads of an earlier process are removed")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        try await ServerUnderTest.with {
            $0.filesDirectory = directory.path
        } _: { subject in
            _ = try await begin(subject, [1])
        }
        #expect(directory.contents.count == 1)
        _ = try directory.write([1], to: "holiday.part")
        _ = try directory.write([1], to: String(repeating: "G", count: 32) + ".part")
        try await ServerUnderTest.with {
            $0.filesDirectory = directory.path
        } _: { _ in
        }
        #expect(directory.contents.count == 2)
    }

    @Test("A request that lost its right to write writes nothing more")
    func takenOver() {
        var upload = UnfinishedUpload(id: "u", clientID: nil, name: "a", type: "b", length: nil)
        let first = upload.takeOver()
        let before = upload.wrote(5, as: first)
        let second = upload.takeOver()
        let late = upload.wrote(5, as: first)
        #expect(before && !late)
        #expect(upload.offset == 5)
        let completing = [first, second, second].map { upload.beginCompleting(as: $0) }
        #expect(completing == [false, true, false])
        let meanwhile = upload.wrote(1, as: second)
        upload.completingFailed()
        let after = upload.wrote(1, as: second)
        #expect(!meanwhile && after)
    }
}
