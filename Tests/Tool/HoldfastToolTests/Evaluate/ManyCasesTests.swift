import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("holdfast evaluate: many cases") struct ManyCasesTests {
    /// Every line is answered, in order, and repeated certificates cost little.
    @Test(.timeLimit(.minutes(1))) func everyLineHasItsAnswerInOrder() async throws {
        let factory = CertificateFactory()
        let issuer = try factory.intermediate("Issuer", signedBy: try factory.authority("Root"))
        let leaf = try factory.leaf(["shop.example"], signedBy: issuer)
        let good = TestCase("ID", leaf).policy(["pins": [issuer.spkiDigest.base64]])
        let bad = TestCase("ID", leaf, host: "b.example")
        let lines = [try good.line, try bad.line, "{\"id\":\"ID\"}"]
        let input = (0..<3_000).map { lines[$0 % 3].replacing("\"ID\"", with: "\"\($0)\"") }.joined(separator: "\n")

        let outcome = await ToolOutcome.of("evaluate", "--cases", "-", input: input)
        let answers = try outcome.lines.map(Answer.read)
        #expect(answers.map(\.id) == (0..<3_000).map(String.init))
        #expect(answers.filter { $0.finding == "pinMatched" }.count == 1_000)
        #expect(answers.filter { $0.finding == "hostMismatch" }.count == 1_000)
        #expect(answers.filter { $0.error == "line" || $0.error?.hasSuffix("is missing") == true }.count == 1_000)
    }
}
