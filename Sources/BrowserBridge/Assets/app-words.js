// The page's words in both languages, and which language it speaks.

const words = {
    en: {
        other: '中文', title: 'Scanning station · Quietzone', skip: 'Skip to the history', station: ' · Scanning station',
        camera: 'Camera', preview: 'What the camera sees', mode: 'When codes are read', continuous: 'Continuous',
        triggered: 'On demand', space: 'Space', trigger: 'Scan', triggering: 'Scanning…', nothingRead: 'No code was seen.',
        region: 'Region', drawing: 'Draw the region with the mouse. Esc ends.', wholePicture: 'Clear', wholePictureLabel: 'Clear the region: look at the whole picture',
        settings: 'Settings', regionNumbers: 'Region, in percent of the picture', left: 'Left', top: 'Top',
        width: 'Width', height: 'Height', latest: 'Latest code', copy: 'Copy', copied: 'Copied', retry: 'Deliver again',
        album: 'Pictures', choose: 'Choose pictures', orDrop: 'or drop or paste them here', history: 'History',
        search: 'Search by the beginning', allFormats: 'All formats', allStates: 'All states', pending: 'Waiting',
        dead: 'Given up', disabled: 'Switched off', delivered: 'Delivered', saved: 'Saved', retrying: 'Trying again',
        failed: 'Not delivered', seen: 'Already seen', notSaved: 'Not saved', time: 'Time', content: 'Content',
        format: 'Format', source: 'Source', stateLabel: 'State', actions: 'Actions', more: 'Show more', cancel: 'Cancel',
        soundOn: 'Sound on', soundOff: 'Sound off', emptyHistory: 'Nothing has been read yet.',
        emptyFound: 'Nothing in the history fits.', firstHint: 'Hold a code before the camera, or drop a picture here.',
        cameraRunning: 'Camera on', cameraStarting: 'Camera starts', cameraLost: 'Camera lost', cameraNone: 'No camera', cameraUnknown: 'No connection',
        blankUnknown: 'Waiting for the station.', blankStarting: 'The camera is starting.', blankNone: 'There is no camera. Pictures can be read all the same.',
        blankLost: 'The camera is gone. It comes back by itself when it is plugged in.',
        gone: 'The station does not answer. What was read is safe; this page connects again by itself.',
        signIn: 'Sign in', token: 'Token', wrongToken: 'This is not the token of the station.',
        signInHint: 'Open the link, or scan the QR code, that scan-station shows in its terminal when it starts; or enter the token from the file that it names.',
        signedOut: 'The station does not take the token of this page any more. Sign in again.',
        asked: 'A page asks for a code', askedAlbum: 'A page asks for a picture', uploading: 'sending', reading: 'reading',
        codes: (count) => (count === 1 ? '1 code' : count + ' codes'), noCode: 'no code',
        summary: (done, all, codes) => `${done} of ${all} pictures, ${codes === 1 ? '1 code' : codes + ' codes'}`,
        attempts: (count) => (count === 1 ? '1 attempt' : count + ' attempts'), next: 'next', now: 'now',
        bySource: {
            camera: 'Camera', upload: 'Picture', file: 'File', folder: 'Folder', device: 'Device',
        },
        controls: {},
    },
    zh: {
        other: 'English', title: '扫码工作站 · Quietzone', skip: '跳到历史记录', station: ' · 扫码工作站', camera: '摄像头',
        preview: '摄像头画面', mode: '何时读码', continuous: '连续', triggered: '按需', space: '空格', trigger: '扫码',
        triggering: '正在扫码…', nothingRead: '没有看到码。', region: '区域', drawing: '用鼠标框选区域，按 Esc 结束。',
        wholePicture: '清除', wholePictureLabel: '清除区域，识别整个画面', settings: '设置', regionNumbers: '区域（画面的百分比）', left: '左', top: '上', width: '宽',
        height: '高', latest: '最新结果', copy: '复制', copied: '已复制', retry: '重新发送', album: '图片', choose: '选择图片',
        orDrop: '或拖放、粘贴到此处', history: '历史记录', search: '按开头查找', allFormats: '全部码制', allStates: '全部状态',
        pending: '等待发送', dead: '已放弃', disabled: '已停用', delivered: '已送达', saved: '已保存', retrying: '正在重试',
        failed: '未送达', seen: '已读过', notSaved: '未保存', time: '时间', content: '内容', format: '码制', source: '来源',
        stateLabel: '状态', actions: '操作', more: '显示更多', cancel: '取消', soundOn: '声音开', soundOff: '声音关',
        emptyHistory: '还没有读到任何码。', emptyFound: '没有符合条件的记录。', firstHint: '请将码对准摄像头，或把图片拖到这里。',
        cameraRunning: '摄像头正常', cameraStarting: '摄像头启动中', cameraLost: '摄像头断开', cameraNone: '没有摄像头', cameraUnknown: '没有连接',
        blankUnknown: '正在等待工作站。', blankStarting: '摄像头正在启动。', blankNone: '没有摄像头，仍然可以识别图片。',
        blankLost: '摄像头已断开，重新插上后会自动恢复。',
        gone: '工作站没有响应。已读到的内容不会丢失，本页会自动重新连接。',
        signIn: '登录', token: '令牌', wrongToken: '这不是本工作站的令牌。',
        signInHint: '请用 scan-station 启动时在终端显示的链接或二维码打开本页，或输入它所指的文件中的令牌。',
        signedOut: '工作站不再接受本页的令牌，请重新登录。',
        asked: '有页面请求扫码', askedAlbum: '有页面请求图片', uploading: '上传中', reading: '识别中',
        codes: (count) => count + ' 个码', noCode: '没有码',
        summary: (done, all, codes) => `图片 ${done}/${all}，${codes} 个码`,
        attempts: (count) => '尝试 ' + count + ' 次', next: '下次', now: '现在',
        bySource: {
            camera: '摄像头', upload: '图片', file: '文件', folder: '文件夹', device: '设备',
        },
        controls: {
            focus_absolute: '对焦', focus_automatic_continuous: '自动对焦', focus_auto: '自动对焦', auto_exposure: '自动曝光',
            exposure_auto: '自动曝光', exposure_time_absolute: '曝光时间', exposure_absolute: '曝光时间', zoom_absolute: '变焦',
            brightness: '亮度', contrast: '对比度', saturation: '饱和度', sharpness: '锐度', gain: '增益', gamma: '伽马',
            white_balance_automatic: '自动白平衡', white_balance_temperature: '白平衡色温', power_line_frequency: '电源频率',
            backlight_compensation: '背光补偿', exposure_dynamic_framerate: '曝光时可变帧率', pan_absolute: '水平转动',
            tilt_absolute: '垂直转动',
        },
    },
};

const kept = localStorage.getItem('quietzone.language');
let language = kept === 'zh' || kept === 'en' ? kept : (/^zh\b/i.test(navigator.language || '') ? 'zh' : 'en');

/** The words of `key` in the page's language; some take values. */
export function word(key, ...values) {
    const found = words[language][key];
    return typeof found === 'function' ? found(...values) : found;
}

/** BCP 47, for dates and for readers of the screen. */
export function locale() {
    return language === 'zh' ? 'zh-CN' : 'en-GB';
}

export function switchLanguage() {
    language = language === 'zh' ? 'en' : 'zh';
    localStorage.setItem('quietzone.language', language);
}

/** A camera's control by its V4L2 name. */
export function controlWord(name) {
    const plain = name.replace(/_absolute$/, '').replace(/_/g, ' ');
    return words[language].controls[name] || plain[0].toUpperCase() + plain.slice(1);
}

export function sourceWord(kind) {
    return words[language].bySource[kind] || kind;
}

/** Puts the words into everything in the document that names one. */
export function translate() {
    document.documentElement.lang = locale();
    document.title = word('title');
    for (const one of document.querySelectorAll('[data-t]')) one.textContent = word(one.dataset.t);
    for (const one of document.querySelectorAll('[data-t-label]')) one.setAttribute('aria-label', word(one.dataset.tLabel));
    for (const one of document.querySelectorAll('[data-t-placeholder]')) one.placeholder = word(one.dataset.tPlaceholder);
    const button = document.getElementById('language');
    button.textContent = word('other');
    button.lang = language === 'zh' ? 'en' : 'zh';
}
