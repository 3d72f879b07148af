import Foundation
import HoldfastNetworking
import Testing

/// Dates in JSON.
@Suite struct DateStrategyTests {
    private func decode(_ text: String) throws -> Date {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = DateDecodingStrategies.iso8601FractionalAndNonFractionalSeconds
        return try #require(decoder.decode([Date].self, from: JSONEncoder().encode([text])).first)
    }

    private func encode(_ seconds: Double) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = DateEncodingStrategies.iso8601FractionalSeconds
        return try #require(
            JSONDecoder().decode([String].self, from: encoder.encode([Date(timeIntervalSince1970: seconds)])).first)
    }

    @Test func fractionsAreOptional() throws {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0), ("2024-01-01T12:34:56Z", 1_704_112_496),
            ("2024-01-01T12:34:56.789Z", 1_704_112_496.789), ("2024-01-01T14:34:56.5+02:00", 1_704_112_496.5),
            ("1969-12-31T23:59:59.25Z", -0.75), ("2024-01-01T12:34:56.123456789012Z", 1_704_112_496.123456789),
        ] {
            #expect(abs(try decode(text).timeIntervalSince1970 - seconds) < 0.000_001, "\(text)")
        }
    }

    @Test(arguments: [
        "", "now", "2024-01-01", "2024-01-01T12:34", "2024-13-01T00:00:00Z", "2024-02-30T00:00:00Z",
        "2024-01-01T12:34:56", "2024-01-01T12:34:56.Z", "2024-01-01T12:34:56.5", "2024-01-01T25:00:00Z", "1704112496",
        "2024-01-01T12:34:56Z ", "2024-01-01T12:34:56.1.2Z", "２０２４-01-01T12:34:56Z",
    ])
    func invalidDatesAreErrors(text: String) {
        #expect(throws: DecodingError.self) { try decode(text) }
    }

    @Test func datesAreWrittenWithMilliseconds() throws {
        #expect(try encode(0) == "1970-01-01T00:00:00.000Z")
        #expect(try encode(1_704_112_496.789) == "2024-01-01T12:34:56.789Z")
        #expect(try encode(-0.75) == "1969-12-31T23:59:59.250Z")
        #expect(try encode(0.9996) == "1970-01-01T00:00:01.000Z")
        for milliseconds in stride(from: -3_000_000, through: 3_000_000, by: 997) {
            let date = try decode(encode(Double(milliseconds) / 1_000))
            #expect((date.timeIntervalSince1970 * 1_000).rounded() == Double(milliseconds))
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 253_402_300_800, -62_167_219_201])
    func unsupportedDatesAreErrors(seconds: Double) {
        #expect(throws: EncodingError.self) { try encode(seconds) }
    }
}
