import Testing

@testable import PinReportCollector

/// The URL of a database in arguments and messages.
@Suite("Report database URL")
struct ReportDatabaseURLTests {
    @Test(arguments: [
        ("postgresql://c@db.example:5432/reports", "postgresql://db.example:5432/reports"),
        ("postgres://db.example/reports?sslrootcert=root.pem", "postgresql://db.example/reports"),
        ("postgresql:///reports?host=/run/postgresql", "postgresql:///reports"),
        ("postgresql://c@[2001:db8::1]:5432/reports", "postgresql://[2001:db8::1]:5432/reports"),
        ("postgresql://c:secret@db.example/reports", "postgresql://db.example/reports"),
    ])
    func descriptionNamesThePlace(_ url: String, _ text: String) {
        #expect(ReportDatabaseURL.description(url) == text)
    }

    /// In a URL with an unescaped password, any part may belong to it.
    @Test(arguments: [
        "postgresql://c:secret?x@db.example/r", "postgresql://c:secret/x@db.example/r",
        "postgresql://c:x@secret@db.example/r", "postgresql://c:secret", "postgresql://secret word@",
        "postgresql://db.example/r?password=secret", "postgresql://c:secret#x@db.example/r",
    ])
    func descriptionNeverContainsAPassword(_ url: String) {
        #expect(!ReportDatabaseURL.description(url).contains("secret"))
    }

    @Test func passwordsAreFound() {
        for url in [
            "postgresql://c:secret@db.example/r", "postgresql://c:@db.example/r",
            "postgresql://db.example/r?a=b&password=secret", "postgresql://db.example/r?PASSWORD=secret",
        ] {
            #expect(ReportDatabaseURL.hasPassword(url), "\(url)")
        }
        for url in ["postgresql://c@db.example:5432/r", "postgresql:///r?host=/run", "postgresql://[::1]:1/r"] {
            #expect(!ReportDatabaseURL.hasPassword(url), "\(url)")
        }
    }

    @Test func pathsAreNotURLs() {
        for path in ["reports.sqlite", "postgresql", "/postgresql://x", "./postgres:"] {
            #expect(!ReportDatabaseURL.isURL(path))
        }
        #expect(ReportDatabaseURL.isURL("postgresql://x"))
        #expect(ReportDatabaseURL.isURL("POSTGRES://x"))
    }

    @Test func onlyOneDatabaseCanBeSet() {
        var configuration = ReportCollectorConfiguration()
        configuration.databaseURL = "postgresql:///r?host=/run"
        configuration.databasePath = "reports.sqlite"
        #expect { try ReportCollector(configuration: configuration) } throws: {
            ($0 as? ReportCollectorError)?.code == .invalidConfiguration
        }
    }

    #if !PostgreSQL
    @Test func buildWithoutPostgreSQLSaysSo() {
        var configuration = ReportCollectorConfiguration()
        configuration.databaseURL = "postgresql:///r?host=/run"
        #expect { try ReportCollector(configuration: configuration) } throws: {
            ($0 as? ReportCollectorError)?.code == .unsupportedDatabase
        }
    }
    #endif
}
