import Foundation
import HoldfastFormats
import HoldfastTestSupport
import Testing

@testable import HoldfastTrust

/// The JSON Schema accepts the same documents as the reader, as far as a schema can express the rules.
@Suite("The JSON Schema") struct SchemaTests {
    let schema: SchemaValidator

    init() throws {
        let file = Repository.root.appendingPathComponent("docs/schema/holdfast-policy-1.schema.json")
        schema = SchemaValidator(try JSONReader.read(Array(try Data(contentsOf: file))))
    }

    private func flaw(_ text: String) throws -> String? { schema.flaw(of: try JSONReader.read(Array(text.utf8))) }

    @Test func writtenDocumentsMatchSchema() throws {
        for seed in UInt64(0)..<80 {
            var plain = DocumentGenerator(seed: seed)
            #expect(try flaw(try plain.document(for: .holdfast).holdfastJSON) == nil, "seed \(seed)")
            var any = AnyPolicyGenerator(seed: seed, now: CertificateFactory.referenceTime)
            #expect(try flaw(any.document().holdfastJSON) == nil, "seed \(seed)")
        }
    }

    @Test func corpusMatchesSchema() throws {
        for file in try Corpus.files(of: .holdfast) where file.isValid {
            #expect(schema.flaw(of: try JSONReader.read(file.bytes)) == nil, "\(file)")
        }
    }

    /// The schema accepts every changed document that the reader accepts, and refuses most of the documents that the
    /// reader refuses.
    @Test func readableDocumentsMatchSchema() throws {
        var mutator = Mutator(seed: 5)
        var caught = 0
        for file in try Corpus.files(of: .holdfast) where file.isValid {
            for _ in 0..<400 {
                let bytes = mutator.damaged(file.bytes)
                guard let node = try? JSONReader.read(bytes) else { continue }
                let document = PolicyDocument(holdfastJSON: bytes)
                let flaw = schema.flaw(of: node)
                if document.diagnostics.contains(where: { $0.severity == .error }) {
                    if flaw != nil { caught += 1 }
                } else {
                    #expect(flaw == nil, "\(flaw ?? "")\n\(String(decoding: bytes, as: UTF8.self))")
                }
            }
        }
        #expect(caught > 10)
    }

    @Test(arguments: [
        "[]", "{}", #"{"holdfast": 2}"#, #"{"holdfast": 1, "domian": []}"#, #"{"holdfast": 1, "precedence": "x"}"#,
        #"{"holdfast": 1, "backupPins": 0}"#, #"{"holdfast": 1, "domains": [{}]}"#,
        #"{"holdfast": 1, "domains": [{"host": "a", "pins": ["x"]}]}"#,
        #"{"holdfast": 1, "domains": [{"host": "a", "depth": "exact", "includesSubdomains": true}]}"#,
        #"{"holdfast": 1, "pinSets": {"a": [{"scope": "leaf"}]}}"#, #"{"holdfast": 1, "anchors": {"mode": "only"}}"#,
        #"{"holdfast": 1, "domains": [{"host": "a", "reportURIs": ["ftp://x"]}]}"#,
        #"{"holdfast": 1, "domains": [{"host": "a", "expires": "2031-01-01"}]}"#,
        #"{"holdfast": 1, "domains": [{"host": "a", "transparency": "firefox"}]}"#,
        #"{"holdfast": 1, "domains": [{"host": "a", "transparency": {"timestamps": 2}}]}"#,
        #"{"holdfast": 1, "domains": [{"host": "a", "transparency": {"policy": "chrome", "operators": 2}}]}"#,
    ])
    func readerAndSchemaRefuse(_ text: String) throws {
        #expect(try flaw(text) != nil)
        #expect(PolicyDocument(holdfastJSON: Array(text.utf8)).diagnostics.contains { $0.severity == .error })
    }
}
