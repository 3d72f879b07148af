import HoldfastTestSupport
import HoldfastTrust
import Logging
import Testing

@Suite("Clock, log and randomness for tests")
struct TestToolTests {
    @Test("the manual clock changes only when it is advanced")
    func manualClock() {
        let clock = ManualTrustClock()
        let reader = clock.clock
        #expect(reader.now() == CertificateFactory.referenceTime)
        clock.advance(bySeconds: 5)
        #expect(reader.now() == CertificateFactory.referenceTime.advanced(bySeconds: 5))
        clock.set(Timestamp(secondsSince1970: 1))
        #expect(reader.now() == clock.now)
    }

    @Test("SplitMix64 generates its published sequence")
    func splitMix() {
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
        #expect(generator.next() == 9_817_491_932_198_370_423)
    }

    @Test("the recording handler keeps lines with merged metadata, up to its limit")
    func recording() {
        struct Failure: Error, CustomStringConvertible { var description: String { "it broke" } }
        let handler = RecordingLogHandler(limit: 2)
        var logger = handler.logger()
        logger[metadataKey: "connection"] = "7"
        logger.info("first", metadata: ["host": "a.test"])
        logger.error("second", metadata: ["connection": "8"])
        logger.error("third")

        #expect(handler.messages() == ["first", "second"])
        #expect(handler.messages(atLeast: .error) == ["second"])
        #expect(handler.dropped == 1)
        #expect(handler.entries.first?.metadata == ["connection": "7", "host": "a.test"])
        #expect(handler.entries.last?.metadata == ["connection": "8"])
        #expect(handler.entries.first?.text == "first  connection=7 host=a.test")
        handler.removeAll()
        #expect(handler.entries.isEmpty && handler.dropped == 0)
    }

    @Test("keeps all lines of concurrent tasks")
    func concurrentRecording() async {
        let handler = RecordingLogHandler()
        let logger = handler.logger()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 { group.addTask { logger.debug("\(index)") } }
        }
        #expect(Set(handler.messages()) == Set((0..<200).map(String.init)))
    }
}
