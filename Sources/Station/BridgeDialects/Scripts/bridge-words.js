// What the window says, in the language of the browser.

const words = {
    en: {
        title: 'Scan a code', album: 'From album…', cancel: 'Cancel', hint: 'Hold the code before the camera.',
        albumHint: 'Choose a picture that shows the code.', reading: 'Reading the picture…',
        nothing: 'There is no code in this picture. Choose another one.',
        noCamera: 'There is no picture from the camera.',
        blind: 'Choose a picture that shows the code, or type the code.', blindTyping: 'Type the code.',
        unreachable: 'The scanning station does not answer. Trying again…', cancelled: 'The scan was canceled.',
        stranger: 'The scanning station does not let this page scan. It has to be started with --allow-origin',
        timed_out: 'No code was read in time.', failed: 'The scan failed.', preview: 'What the camera sees',
        close: 'Close', again: 'Scan it again', busy: 'The camera is in use. Waiting for', own: 'the station’s page',
        repeated: 'The code in view was scanned just now. Take it away and show the next one.',
        asks: (who, what) => `${who} asks for: ${what}`, any: 'any code', comma: ', ',
        write: 'Type it…', entry: 'The code, as it is printed', use: 'Use it',
        wrong: (found, wanted) => `Wrong kind of code: ${found}.` + (wanted ? ` The page needs: ${wanted}.`
            : ' The page needs another kind.'),
        notJSON: 'The message of this page cannot be written as JSON',
        noOptions: (format) => `quietzone.scan takes an object, such as { formats: [${JSON.stringify(format)}] }`,
        unknownOption: (name) => `quietzone.scan has no option ${JSON.stringify(name)}: it takes source, formats, timeout and signal`,
        opaque: 'The scanning station cannot know this page, which has no origin: it is in a sandboxed frame (add '
            + 'allow-same-origin to its sandbox attribute) or was opened as a file (open it by http).',
    },
    zh: {
        title: '扫码', album: '从相册选择…', cancel: '取消', hint: '请将条码或二维码对准摄像头。',
        albumHint: '请选择一张含有条码或二维码的图片。', reading: '正在识别图片…',
        nothing: '图片中没有识别到码，请换一张。', noCamera: '没有摄像头画面。',
        blind: '请选择一张含有条码或二维码的图片，或手动输入。', blindTyping: '请手动输入。',
        stranger: '扫码工作站不允许本页面扫码。启动时需要加上 --allow-origin',
        unreachable: '扫码工作站没有响应，正在重试…', cancelled: '扫码已取消。', timed_out: '在规定时间内没有识别到码。',
        failed: '扫码失败。', preview: '摄像头画面', close: '关闭', again: '再扫一次', busy: '摄像头正在使用中，请等待：',
        own: '工作站页面', repeated: '镜头下的码刚刚扫过，请移开并放上下一个。', notJSON: '本页面的消息无法写成 JSON',
        noOptions: (format) => `quietzone.scan 的参数应为对象，例如 { formats: [${JSON.stringify(format)}] }`,
        unknownOption: (name) => `quietzone.scan 没有选项 ${JSON.stringify(name)}，可用：source、formats、timeout、signal`,
        asks: (who, what) => `${who} 请求：${what}`, any: '任意条码或二维码', comma: '、',
        write: '手动输入…', entry: '请输入码上印的内容', use: '使用',
        wrong: (found, wanted) => `这是 ${found} 码。` + (wanted ? `本页面需要：${wanted}。` : '本页面需要其他类型的码。'),
        opaque: '扫码工作站无法识别本页面，因为它没有来源：它在沙盒框架中（请在其 sandbox 属性中加入 allow-same-origin），'
            + '或是作为文件打开的（请通过 http 打开）。',
    },
};

/** The language of the words, as BCP 47 has it. */
function language() {
    return /^zh\b/i.test(navigator.language || '') ? 'zh' : 'en';
}

function text(key, ...values) {
    const found = words[language()][key];
    return typeof found === 'function' ? found(...values) : found;
}

/** A kind of code in words. */
function formatWord(format) {
    return table.titles[format] || String(format).replaceAll('_', ' ');
}
