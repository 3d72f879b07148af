import ServerKit
import Testing

@Suite("Percent-encoding")
struct PercentDecodingTests {
    @Test("Only valid percent-encoding is decoded")
    func percentDecoding() {
        #expect(PercentDecoding.text("Gr%C3%B6%c3%9Fe.png") == "Größe.png")
        #expect(PercentDecoding.text("") == "")
        for wrong in ["%", "%4", "%zz", "a%C3", "%FF", "%+1"] {
            #expect(PercentDecoding.text(wrong) == nil, "\(wrong)")
        }
    }
}
