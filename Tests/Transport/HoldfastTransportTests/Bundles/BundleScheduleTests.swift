import HoldfastTrust
import Testing

@testable import HoldfastTransport

/// When the next fetch of a bundle is due, tested without a clock.
@Suite struct BundleScheduleTests {
    private let backoff = Backoff(base: 60, ceiling: 3_600, retryAfterCeiling: 86_400)

    @Test(arguments: [(0, 800), (200, 1_000), (400, 1_200), (401, 800), (UInt64.max, 980)] as [(UInt64, Int64)])
    func theIntervalIsRandomized(entropy: UInt64, expected: Int64) {
        var schedule = BundleSchedule(interval: .seconds(1_000), jitterPercent: 20, backoff: backoff)
        let seconds = schedule.next(after: .settled, entropy: entropy)
        #expect(seconds == (entropy == .max ? 800 + Int64(UInt64.max % 401) : expected))
    }

    @Test func failuresBackOffAndSuccessResets() {
        var schedule = BundleSchedule(interval: .seconds(1_000), jitterPercent: 0, backoff: backoff)
        for maximum: Int64 in [60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
            let seconds = schedule.next(after: .failed(retryAfter: nil), entropy: UInt64(maximum))
            #expect(seconds == maximum)
        }
        let asked = schedule.next(after: .failed(retryAfter: .infinity), entropy: 0)
        #expect(asked == 86_400)
        let settled = schedule.next(after: .settled, entropy: 5)
        #expect(settled == 1_000 && schedule.failures == 0)
    }

    @Test func extremeSettingsAreClamped() {
        for interval in [Duration.zero, .seconds(-5), .seconds(Int64.max)] {
            for percent in [Int.min, 0, 100, Int.max] {
                var schedule = BundleSchedule(interval: interval, jitterPercent: percent, backoff: backoff)
                let seconds = schedule.next(after: .settled, entropy: .max)
                #expect(seconds >= 1 && seconds <= 1 << 32)
            }
        }
    }

    private let noon = Timestamp(secondsSince1970: 1_700_000_000)

    @Test func aTagIsSentOnlyForItsBytes() throws {
        let tag = try #require(BundleTag("W/\"x\"", for: [1, 2], at: noon))
        #expect(tag.isFor([1, 2]) && !tag.isFor([1]))
        #expect(BundleTag(file: tag.file) == tag)
        for length in 0..<tag.file.count { #expect(BundleTag(file: Array(tag.file[..<length])) == nil) }
        #expect(BundleTag(file: tag.file + [0x0A]) == nil)
    }

    @Test(arguments: ["a b", "a\nb", "\u{E9}", "\u{7F}", "\0", "a\"b", String(repeating: "x", count: 1_023)])
    func invalidTagsAreNotStored(inner: String) {
        #expect(BundleTag("\"\(inner)\"", for: [], at: noon) == nil)
    }

    @Test func theLengthOfATagIsLimited() {
        let text = "\"" + String(repeating: "x", count: 1_022) + "\""
        #expect(BundleTag(text, for: [], at: noon)?.text == text)
        for none in ["", "*", "x", "\"", "W/", "\"a\",\"b\""] { #expect(BundleTag(none, for: [], at: noon) == nil) }
    }

    @Test func aTagIsSentForADay() throws {
        let tag = try #require(BundleTag("\"x\"", for: [], at: noon))
        let fresh = [-1, 0, 86_399, 86_400].map { tag.isFresh(at: noon.advanced(bySeconds: $0)) }
        #expect(fresh == [false, true, true, false])
        // For every time that a file contains.
        for seconds in [Int64.min, Int64.max] {
            let file = Array("\(tag.digest.base64)\n\"x\"\n\(seconds)\n".utf8)
            let read = try #require(BundleTag(file: file))
            #expect(!read.isFresh(at: noon))
        }
    }
}
