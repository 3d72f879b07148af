import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// Themes and texts. The texts belong to the process, so these tests run serially, and no other test reads them.
@Suite(.serialized) struct AppearanceTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("setting theme also sets darkTheme, and a screen keeps its original theme")
    func themes() throws {
        let chat = TestChat(in: folder)
        #expect(chat.sdk.theme == ChatTheme() && chat.sdk.darkTheme == .dark)
        #expect(!chat.sdk.theme.tokens.isDark && chat.sdk.darkTheme.tokens.isDark)
        let black = ChatTheme(colors: ChatColors(background: .black))
        var green = ChatTheme(colors: ChatColors(link: ChatColor(0x006400)), images: ChatImages(), typography: .init())
        green.components.messageCornerRadius = 3
        green.flows.chatFlow.quickReplyStyle.mode = .toolbar
        green.minimumContrast = 7
        chat.sdk.darkTheme = black
        chat.sdk.theme = green
        #expect(chat.sdk.darkTheme == green, "theme overwrites darkTheme")
        chat.sdk.darkTheme = black
        let screen = try chat.open()
        chat.sdk.theme = ChatTheme()
        #expect(screen.theme == green && screen.darkTheme == black)
        #expect(screen.theme.tokens.numbers["bubble-radius"] == 3 && screen.theme.tokens.quickReplyMode == .toolbar)
        #expect(try chat.sdk.getChat().theme == ChatTheme())
        #expect("\(ChatColor(0x336699))" == "#336699ff")
    }

    /// Returns a bundle with a table in two languages and one outside any language folder.
    private func bundle() throws -> Bundle {
        let url = folder.url.appendingPathComponent("Texts.bundle")
        for (path, text) in [
            ("en.lproj", "Please wait"), ("pt.lproj", "Aguarde"), ("", "…"),
        ] {
            let place = path.isEmpty ? url : url.appendingPathComponent(path)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let more = path.isEmpty ? "\n\"menu.copy_title\" = \"Copy it\";" : ""
            try Data("\"chat.title.waiting\" = \"\(text)\";\(more)\n".utf8)
                .write(to: place.appendingPathComponent("Chat.strings"))
        }
        return try #require(Bundle(path: url.path))
    }

    @Test(
        "bundle, tableName and locale select the text, and missing texts are built in",
        arguments: [
            ("en_GB", "Chat", "Please wait", "Copy it", "Reply"), ("pt_BR", "Chat", "Aguarde", "Copy it", "Reply"),
            ("ru_RU", "Chat", "…", "Copy it", "Ответить"),
            ("ru_RU", "Absent", "Ожидание ответа", "Копировать", "Ответить"),
        ])
    func texts(locale: String, table: String, waiting: String, copy: String, reply: String) throws {
        let chat = TestChat(in: folder, logLevel: .error)
        chat.sdk.localizationConfig = ChatLocalizationConfig(
            bundle: try bundle(), tableName: table, locale: Locale(identifier: locale))
        defer { chat.sdk.localizationConfig = nil }
        let screen = try chat.open()
        #expect(screen.text(.titleWaiting) == waiting)
        #expect(screen.text(.copy) == copy)
        #expect(screen.text(.response) == reply)
        #expect(chat.delegate.lines.contains { $0.contains("has no table") } == (table == "Absent"))
    }

    @Test("the language is sent to the server once for each authorize")
    func language() throws {
        let chat = TestChat(in: folder)
        chat.sdk.localizationConfig = ChatLocalizationConfig(
            bundle: .main, tableName: "Chat", locale: Locale(identifier: "de_CH"))
        defer { chat.sdk.localizationConfig = nil }
        _ = try chat.open()
        chat.sdk.localizationConfig = ChatLocalizationConfig(
            bundle: .main, tableName: "Chat", locale: Locale(identifier: "fr_FR"))
        chat.network.breakSocket()
        chat.settle()
        func told() -> [String?] {
            chat.network.commands.compactMap { command -> String?? in
                guard case .transmit(_, _, let frame) = command, case .registerDevice(let device) = frame.body else {
                    return nil
                }
                return device.locale
            }
        }
        #expect(told().count >= 2 && told().allSatisfy { $0 == "de_CH" })
        chat.sdk.deauthorizeUser()
        _ = try chat.open()
        #expect(told().last == "fr_FR")
    }
}
