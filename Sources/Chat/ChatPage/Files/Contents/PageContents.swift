// This file is generated: change the files in Sources/Chat/ChatPage/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

/// The contents of the files in `Sources/Chat/ChatPage/Web`.
enum PageContents {
    /// The contents of the script `page.js`.
    static let page_js = [
        page_1_texts_js,
        page_2_connection_js,
        page_3_screen_js,
        page_4_rows_js,
        page_5_history_js,
        page_6_composer_js,
        page_7_search_js,
        page_8_start_js,
    ].joined()
}
